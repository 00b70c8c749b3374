/** A tool that a request offers to the model. */
export interface Tool {
  name: string
  /** The names of the tool's arguments. */
  arguments: string[]
  /** The group into which Codex puts the tools of one MCP server. A call has to name the group. */
  namespace?: string
  /** Whether the tool takes one text instead of arguments. */
  freeform?: boolean
}

/** What one side said before the other side spoke again. */
export interface Turn {
  from: 'user' | 'model'
  text: string
  /** What the tools answered in this turn of the user. */
  results: string
}

/** A request, read from any of the four formats. */
export interface Conversation {
  system: string
  turns: Turn[]
  tools: Tool[]
}

/** What the model answers: a text, calls of tools, or both. */
export interface Answer {
  /** No two answers of a test have the same id, because Claude Code joins messages with the same id. */
  id: string
  text?: string
  calls: Call[]
}

export interface Call {
  /** No two calls of a test have the same id, because hooks tell agents apart by it. */
  id: string
  tool: Tool
  input: Record<string, unknown>
}

/** One line of a stream of server-sent events. */
export interface Event {
  event?: string
  data: unknown
}

/** One of the four ways in which clients talk to a model. */
export interface Format {
  name: string
  /** Whether a request to this path is in this format. */
  serves(path: string): boolean
  read(body: Record<string, unknown>): Conversation
  /** Returns the answer as a stream. */
  stream(answer: Answer): Event[]
  /** Returns the answer in one piece, for requests that do not ask for a stream. */
  whole(answer: Answer): unknown
  /** Returns the body of an error. */
  refuse(status: number): unknown
}

export type Said = { from: Turn['from']; text?: string; result?: string }

/** Joins everything that one side said in a row into one turn, because formats and clients split it differently. */
export const turnsOf = (said: readonly Said[]): Turn[] => {
  const turns: Turn[] = []
  for (const { from, text = '', result = '' } of said) {
    let turn = turns.at(-1)
    if (turn?.from !== from) {
      turn = { from, text: '', results: '' }
      turns.push(turn)
    }
    turn.text += text && `${text}\n`
    turn.results += result && `${result}\n`
  }
  return turns
}

type Parts = readonly Record<string, unknown>[]

export const list = (value: unknown): Parts => (Array.isArray(value) ? value : [])

/** Returns the text in the `content` of a message, which is a string or a list of parts. */
export const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content
  return list(content)
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : ''))
    .join('\n')
}

/** Returns the names of the arguments in a JSON Schema. */
export const argumentsOf = (schema: unknown): string[] =>
  Object.keys(((schema as Record<string, unknown> | undefined)?.['properties'] ?? {}) as object)
