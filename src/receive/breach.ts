import type { Failure } from '../kernel/result.ts'

/** What a subagent did wrong, by refusal code. The prompt of the next attempt includes the sentence. */
const sentences: Readonly<Record<string, string>> = {
  'return.invalid': 'did not return one of the lines under Return Format',
  'return.status': 'returned a line that does not match the status of its manifest entry',
  'manifest.missing': 'appended no manifest entry',
  'output.missing': 'wrote no output file at the path in its entry',
  'focus.unset': 'did not set focus before working',
  'vote.missing': 'did not vote',
  'rule.broken': 'broke a rule of the protocol',
  'evidence.missing': 'gave no evidence for a required gate',
  'evidence.stale': 'changed files after its evidence was taken',
  'gate.unmet': 'reported complete with unmet gates or acceptance criteria',
}

/** Whether a refusal is about the subagent's work, not about the task or the caller. */
export const isBreach = (code: string): boolean => Object.hasOwn(sentences, code)

const rules = 'rules '

/** What is stored of a refusal: its code or, if the work broke rules of the protocol, these rules. */
export const breachOf = ({ code, problems = [] }: Failure): string =>
  brokenRules(problems.flatMap((each) => (each.code === 'rule.broken' ? [each.path] : []))) ?? code

/** If a result was accepted but its task reopened, the rules that it broke are stored in place of a refusal code. */
export const brokenRules = (ids: readonly string[]): string | undefined =>
  ids.length > 0 ? `${rules}${ids.join(', ')}` : undefined

/** The sentence for the prompt of the next attempt; undefined if the code is not a breach. */
export const breachSentence = (code: string): string | undefined => {
  if (code.startsWith(rules)) return `The last attempt broke ${code.slice(rules.length)} of the protocol.`
  return isBreach(code) ? `The last attempt was refused: it ${sentences[code]!}.` : undefined
}
