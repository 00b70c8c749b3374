/** What a subagent did not do, by the code its return was refused with; in words for the next one, and none of its own. */
const sentences: Readonly<Record<string, string>> = {
  'return.invalid': 'returned something else than one of the lines under Return Format',
  'return.status': 'returned a line that does not fit the status of its manifest entry',
  'manifest.missing': 'appended no manifest entry',
  'output.missing': 'left no output file where its entry says',
  'focus.unset': 'did not set focus before it worked',
  'evidence.missing': 'gave no evidence for a gate that is required',
  'evidence.stale': 'changed files after its evidence was taken',
  'gate.unmet': 'said complete while gates or acceptance criteria did not hold',
}

/** Whether a refusal is about how the subagent worked, and not about the task or the caller. */
export const isBreach = (code: string): boolean => Object.hasOwn(sentences, code)

const rules = 'rules '

/** In place of a code, where a result was taken and its task opened again: the rules it broke. */
export const brokenRules = (ids: readonly string[]): string | undefined =>
  ids.length > 0 ? `${rules}${ids.join(', ')}` : undefined

/** For the prompt of the next attempt; undefined for what is no breach. */
export const breachSentence = (code: string): string | undefined => {
  if (code.startsWith(rules))
    return `The last attempt was opened again: it broke ${code.slice(rules.length)} of the protocol.`
  return isBreach(code) ? `The last attempt was refused: it ${sentences[code]!}.` : undefined
}
