import type { AgentName, AgentNote, StreamReader } from './agent.ts'
import { apiProblem } from './api-problem.ts'
import { countOf, type Fields, fieldsOf, lacksCleo, parseLine, shortText, textOf } from './stream-line.ts'

/**
 * Whether agents of this kind print text for people instead of JSON lines. If a text is long, the watcher reads
 * only its end.
 */
export const printsText = (name: AgentName): boolean => name === 'command'

/** Loads the reader of one kind only, because a watcher does not need the others. */
export const readerFor = async (name: AgentName, now: () => number): Promise<StreamReader> => {
  switch (name) {
    case 'claude':
      return (await import('./read-claude.ts')).readClaude(now)
    case 'codex':
      return (await import('./read-codex.ts')).readCodex(now)
    case 'gemini':
      return (await import('./read-gemini.ts')).readGemini(now)
    case 'opencode':
      return (await import('./read-opencode.ts')).readOpenCode(now)
    case 'command':
      return readText(now)
    default:
      return readNotes(now)
  }
}

/**
 * Reads the text output of any program. The last line so far counts both as the current action and as the last message.
 */
const readText =
  (now: () => number): StreamReader =>
  (line) => {
    const text = shortText(line)
    if (text === '') return []
    const problem = text.length < 300 ? apiProblem(text, { now }) : undefined
    return [
      { kind: 'action', text },
      { kind: 'message', text },
      ...(lacksCleo(line) ? [{ kind: 'no cleo' } as const] : []),
      ...(problem ? [problem] : []),
    ]
  }

/** Reads the notes that `cleo agent-acp` or `cleo agent-script` prints, one JSON object per line. */
const readNotes =
  (now: () => number): StreamReader =>
  (line, from) => {
    if (from === 'errors') {
      const problem = apiProblem(line, { now })
      return [...(problem ? [problem] : []), ...(lacksCleo(line) ? [{ kind: 'no cleo' } as const] : [])]
    }
    const fields = parseLine(line)
    const note = fields && noteOf(fieldsOf(fields, 'note'))
    return note ? [note] : []
  }

/** Checks the fields of a note that a program printed. Leaves out fields with a wrong type. */
export const noteOf = (fields: Fields): AgentNote | undefined => {
  const kind = textOf(fields, 'kind')
  const text = textOf(fields, 'text')
  switch (kind) {
    case 'action':
    case 'message':
      return text === undefined ? undefined : { kind, text }
    case 'auth':
      return { kind, text: shortText(text ?? 'not logged in') }
    case 'quota': {
      const until = countOf(fields, 'until')
      return { kind, text: shortText(text ?? 'quota used up'), ...(until !== undefined && { until }) }
    }
    case 'session': {
      const id = textOf(fields, 'id')
      return id === undefined ? undefined : { kind, id }
    }
    case 'denied':
      return { kind, what: shortText(textOf(fields, 'what') ?? 'a tool') }
    case 'no cleo':
      return { kind }
    case 'turn over': {
      const failed = textOf(fields, 'failed')
      return { kind, ...(failed !== undefined && { failed: shortText(failed) }) }
    }
    case 'tokens': {
      const cost = countOf(fields, 'cost')
      const cached = countOf(fields, 'cached')
      const model = textOf(fields, 'model')
      return {
        kind,
        input: countOf(fields, 'input') ?? 0,
        output: countOf(fields, 'output') ?? 0,
        ...(cost !== undefined && { cost }),
        ...(cached !== undefined && { cached }),
        ...(model !== undefined && { model }),
        ...(fields['ofSession'] === true && { ofSession: true as const }),
      }
    }
    default:
      return undefined
  }
}
