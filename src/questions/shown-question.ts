import { commandLine } from '../operation/command-line.ts'
import type { Command } from '../operation/command-table.ts'
import { allCommands } from '../operation/commands.ts'
import { type Trustable, trustKinds } from '../project/trust-records.ts'
import type { QuestionRow } from './sql.ts'

export type CallInput = Readonly<Record<string, unknown>>

type AskedRow = Pick<QuestionRow, 'kind' | 'question' | 'asked'>

/**
 * The refused call as it is stored. It can contain anything, because an agent chose the input or someone else made
 * the database.
 */
interface Asked {
  operation?: string
  input?: CallInput
  item?: Trustable
  /** What CLEO knows about the item, as a sentence. */
  why?: string
}

export interface ShownQuestion {
  /**
   * What happens if the person says yes. CLEO writes this text from the refused call, so that an agent cannot give a
   * misleading description.
   */
  what: string
  why?: string
  /**
   * The refused call as a command; missing if the question is about an item or a stage, or if CLEO has no such command.
   */
  command?: string
  /** The item that is trusted if the person says yes. */
  item?: Trustable
  /** Why a person cannot answer yes here, as the end of a sentence. */
  unanswerable?: string
}

/** A question is cut to this many characters. A person would not read a longer text before deciding. */
const mostShown = 4000

export const shownQuestion = (row: AskedRow): ShownQuestion => {
  const asked = readAsked(row.asked)
  const shown = describe(row, asked)
  if (shown.what.length + (shown.why?.length ?? 0) <= mostShown) return shown
  const most = `${shown.what.slice(0, mostShown).toWellFormed()}…`
  const { why: _, ...rest } = shown
  return { ...rest, what: most, unanswerable: `it has ${shown.what.length} characters, too many to show` }
}

const describe = (row: AskedRow, { operation, input, item, why }: Asked): ShownQuestion => {
  if (item) return { what: `trust ${item.kind} ${item.name}: ${item.what}`, ...(why && { why }), item }
  if (row.kind === 'stage') return { what: stageQuestion(row.question, input) }
  const command = operation === undefined ? undefined : commandOf(operation)
  if (!command) return { what: 'a command that CLEO does not have', unanswerable: 'CLEO has no such command' }
  const isWhole = input !== undefined || why !== undefined
  const what = input ? commandLine(command, input) : `cleo ${command.words}`
  const unanswerable = isWhole ? {} : { unanswerable: 'its input was too large to keep' }
  return { what, command: what, ...(why && { why }), ...unanswerable }
}

/**
 * Returns the stored question if it names the epic, the stage and the reason of the refused call. Otherwise returns a
 * text made from the call.
 */
const stageQuestion = (question: string, input: CallInput | undefined): string => {
  const [id, to, reason] = ['id', 'to', 'reason'].map((key) => textOf(input?.[key]))
  const says = question.startsWith(`${id} `) && question.endsWith(`Back to ${to} once more? ${reason}`)
  return says ? question : `move ${id} back to ${to}: ${reason}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

const readAsked = (json: string): Asked => {
  const asked = JSON.parse(json) as Record<string, unknown>
  const { operation, input, item, why } = asked
  return {
    ...(typeof operation === 'string' && { operation }),
    ...(typeof input === 'object' && input !== null && { input: input as CallInput }),
    ...(isItem(item) && { item }),
    ...(typeof why === 'string' && { why }),
  }
}

const isItem = (item: unknown): item is Trustable => {
  const { kind, name, what } = (item ?? {}) as Partial<Trustable>
  return trustKinds.includes(kind!) && typeof name === 'string' && typeof what === 'string'
}

const commandOf = (operation: string): Command | undefined =>
  allCommands().find((command) => command.operation === operation)
