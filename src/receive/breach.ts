import type { Failure } from '../kernel/result.ts'

/**
 * What the subagent did wrong, by refusal code. Each text is the end of a sentence in the prompt of the next attempt.
 */
const sentences: Readonly<Record<string, string>> = {
  'return.invalid': 'did not return one of the lines under Return Format',
  'manifest.missing': 'appended no manifest entry',
  'output.missing': 'wrote no output file at the path in its entry',
  'focus.unset': 'did not set focus before working',
  'vote.missing': 'did not vote',
  'rule.broken': 'broke a rule of the protocol',
  'evidence.missing': 'gave no evidence for a required gate',
  'evidence.stale': 'changed files after its evidence was taken',
  'gate.unmet': 'reported complete with unmet gates or acceptance criteria',
}

const rules = 'rules '
const quarantined = 'manifest.quarantined '
const conflict = 'merge.conflict '
const red = 'merge.red '

/**
 * Returns the text to record for a refusal. Returns undefined if the refusal is about the task or the caller, not the
 * work. The text is the first of these that applies: the reason why a manifest line could not be read as an entry
 * (`unread`), the rules that the work broke, or the refusal code. A code about evidence is followed by details.
 */
export const breachFor = (
  { code, problems = [] }: Failure,
  unread: string | undefined,
): string | undefined => {
  if (unread !== undefined) return quarantined + unread
  if (!isBreach(code)) return undefined
  const broken = brokenRules(problems.flatMap((each) => (each.code === 'rule.broken' ? [each.path] : [])))
  if (broken !== undefined || !isAboutEvidence(code)) return broken ?? code
  const details = problems.map(({ path, message }) => `${path}: ${message}`).join('\n')
  return details === '' ? code : `${code}\n${details.slice(0, mostDetails)}`
}

export const isBreach = (code: string): boolean => Object.hasOwn(sentences, code)

/** For a refusal about evidence, the next agent has to know which gates failed and why. */
const isAboutEvidence = (code: string): boolean => code === 'gate.unmet' || code.startsWith('evidence.')

const mostDetails = 1500

/** Returns the text that is stored in place of a refusal code if the work broke rules of the protocol. */
export const brokenRules = (ids: readonly string[]): string | undefined =>
  ids.length > 0 ? `${rules}${ids.join(', ')}` : undefined

/**
 * Returns a sentence that says how to read the commits of earlier attempts. The next attempt starts without these
 * commits, and no branch contains them.
 */
const ownCommits = (task: string): string =>
  `The commits of earlier attempts: \`git log -p --glob='refs/cleo/attempts/${task}.*' --not HEAD\`.`

/** Quotes file names and output, because CLEO did not write them. */
const mergeSentence = (code: string, task: string): { breach: string; quoted?: string } => {
  const end = code.indexOf('\n')
  const quoted = code.slice(end + 1)
  if (code.startsWith(conflict)) {
    const others = code.slice(conflict.length, end)
    const whom =
      others === '' ? 'work that was merged before it' : `the merged work of ${others.replaceAll(',', ', ')}`
    return {
      breach: `The last attempt could not be merged: it conflicts with ${whom}. Your folder has that work: build on it. ${ownCommits(task)} Files:`,
      quoted,
    }
  }
  return {
    breach: `The last attempt passed alone, but ${code.slice(red.length, end)} failed once it was merged with other work. Your folder has that work. ${ownCommits(task)} Output:`,
    quoted,
  }
}

/**
 * Returns the sentence for the prompt of the next attempt; undefined if the code is not a breach. `quoted` can contain
 * words of the subagent, so it must go into a fence.
 */
export const breachSentence = (
  code: string,
  task: string,
): { breach: string; quoted?: string } | undefined => {
  if (code.startsWith(rules))
    return { breach: `The last attempt broke ${code.slice(rules.length)} of the protocol.` }
  if (code.startsWith(quarantined))
    return {
      breach: 'The last attempt was refused: its manifest line could not be read as an entry:',
      quoted: code.slice(quarantined.length),
    }
  if (code.startsWith(conflict) || code.startsWith(red)) return mergeSentence(code, task)
  const [first = '', ...details] = code.split('\n')
  if (!isBreach(first)) return undefined
  const breach = `The last attempt was refused: it ${sentences[first]!}`
  return details.length > 0 ? { breach: `${breach}:`, quoted: details.join('\n') } : { breach: `${breach}.` }
}
