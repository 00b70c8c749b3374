import type { AgentTokens } from '../claims/sql/spawn-agents.ts'
import { isObject } from '../kernel/json-object.ts'
import { canonicalSpawnId } from '../kernel/task-id.ts'

/** Returns the user's first few texts in a conversation, up to the first answer. */
export const userTexts = (head: string): string[] => {
  const texts: string[] = []
  for (const line of head.split('\n', 200)) {
    const entry = parsed(line)
    if (!entry) continue
    const message =
      objectIn(entry, 'message') ?? objectIn(entry, 'payload') ?? objectIn(entry, 'data') ?? entry
    const role = String(message['role'] ?? entry['type'] ?? '')
    const kind = String(message['type'] ?? entry['type'] ?? '')
    if (/^(?:assistant|model|gemini)/.test(role) || /^(?:assistant|agent)/.test(kind)) break
    if (/^user/.test(role) || /^user/.test(kind))
      texts.push(textIn(message['content'] ?? message['message'] ?? message['parts']))
    if (texts.length >= 8) break
  }
  return texts.filter((text) => text !== '')
}

type Entry = Record<string, unknown>

const parsed = (line: string): Entry | undefined => {
  if (!line.startsWith('{')) return undefined
  try {
    return JSON.parse(line) as Entry
  } catch {
    // Skip a line that is not JSON, such as an incomplete last line.
    return undefined
  }
}

const objectIn = (entry: Entry, name: string): Entry | undefined => {
  const value = entry[name]
  return isObject(value) ? value : undefined
}

const textIn = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: unknown) => (typeof part === 'string' ? part : textIn((part as Entry | null)?.['text'])))
    .join('\n')
}

/**
 * Returns the spawn whose prompt an agent got. The texts contain the prompt itself, or name the file of the prompt. A
 * subagent's text can name the file anywhere. A session's text must begin with the line that names the file.
 */
export const spawnOfPrompt = (texts: readonly string[], isSubagent: boolean): string | undefined => {
  const found = new Set<string>()
  for (const each of texts) {
    const text = each.replace(hookContext, '')
    const whole = /^# (T\d+\.\d+) · [^\n]*\n+Follow this literally\./m.exec(text)?.[1]
    const pointed = isSubagent
      ? [...text.slice(0, 20_000).matchAll(/\.cleo\/spawns\/(T\d+\.\d+)\.md/g)].map((match) => match[1]!)
      : [/^\s*Read \S*\.cleo\/spawns\/(T\d+\.\d+)\.md and follow it/.exec(text)?.[1]]
    for (const id of whole ? [whole] : pointed) {
      const spawn = id && canonicalSpawnId(id)
      if (spawn) found.add(spawn)
    }
  }
  return found.size === 1 ? [...found][0] : undefined
}

/** The output of hooks, which Gemini puts before the prompt. */
const hookContext = /^(?:\s*<hook_context>[\s\S]*?<\/hook_context>)+\s*/

/** Adds up the tokens that a client recorded in a conversation; undefined if it recorded none. */
export const tokensIn = (text: string): AgentTokens | undefined => {
  // A client sometimes writes the same answer several times while the answer grows. Use only the last version.
  const answers = new Map<string, AgentTokens>()
  let total: AgentTokens | undefined
  let n = 0
  for (const line of text.split('\n')) {
    if (!/[uU]sage|"tokens"/.test(line)) continue
    const entry = parsed(line)
    if (!entry) continue
    const info = objectIn(objectIn(entry, 'payload') ?? {}, 'info')
    const sum = info && objectIn(info, 'total_token_usage')
    if (sum) {
      total = { input: number(sum, 'input_tokens'), output: number(sum, 'output_tokens') }
      continue
    }
    const message = objectIn(entry, 'message') ?? objectIn(entry, 'data') ?? entry
    const used = usageOf(message) ?? usageOf(entry)
    if (used) answers.set(String(message['id'] ?? entry['id'] ?? entry['uuid'] ?? n++), used)
  }
  if (total || answers.size === 0) return total
  const all = { input: 0, output: 0 }
  for (const { input, output } of answers.values()) {
    all.input += input
    all.output += output
  }
  return all
}

const usageOf = (entry: Entry): AgentTokens | undefined => {
  const usage = objectIn(entry, 'usage')
  if (usage)
    return {
      input:
        number(usage, 'input_tokens') +
        number(usage, 'cache_creation_input_tokens') +
        number(usage, 'cache_read_input_tokens'),
      output: number(usage, 'output_tokens'),
    }
  const gemini = objectIn(entry, 'tokens')
  if (gemini)
    return { input: number(gemini, 'input'), output: number(gemini, 'output') + number(gemini, 'thoughts') }
  const google = objectIn(entry, 'usageMetadata')
  return (
    google && {
      input: number(google, 'promptTokenCount'),
      output: number(google, 'candidatesTokenCount') + number(google, 'thoughtsTokenCount'),
    }
  )
}

const number = (entry: Entry, name: string): number => {
  const value = entry[name]
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0
}
