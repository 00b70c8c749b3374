import type * as v from 'valibot'
import type { Fault, Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'
import type { PersonRule, Sample } from './command-table.ts'
import type { Contexts } from './context.ts'
import type { Several } from './several.ts'

type InputSchema = v.StrictObjectSchema<v.ObjectEntries, undefined>
type Output = v.GenericSchema
type Keys<I extends InputSchema> = keyof I['entries'] & string

/** What the help and other generated pages say about a command. The executable is built without these fields. */
export interface CliDocumentation {
  /** Other words for the same command, such as `ls`. The operation's own name always works and need not be listed. */
  also?: readonly string[]
  /**
   * Words that are not commands. If someone types one of them, the error message suggests this command, with the flag
   * that is listed after the word. For example, with `rename --title`, the error of `cleo rename T012 Form` suggests
   * `cleo update T012 --title Form`.
   */
  suggestedFor?: readonly string[]
  examples: readonly [string, ...string[]]
  /** An example of a file that the command reads, to be shown in its help. */
  sample?: Sample
}

export interface Cli<I extends InputSchema, O extends Output> extends CliDocumentation {
  /** The command's words, such as `session start`. Help and all printed commands use them. */
  command: string
  positional?: readonly Keys<I>[]
  /** Returns a document or a script to print instead of the envelope; undefined to print the envelope. */
  document?(data: v.InferOutput<O>): string | undefined
  /**
   * Returns a question to ask at a terminal before the command changes anything; undefined to ask nothing. The command
   * first runs with `dryRun`, so that the person sees what it would do. If the person agrees, it runs with `yes`.
   */
  asks?(input: v.InferOutput<I>): string | undefined
  /**
   * If the input needs text from an editor, returns the command that opens the editor, such as `cleo edit T012`. If
   * the edited text cannot be stored, the suggested fix is this command with `--draft` and the file that has the text.
   * Returns undefined if the input needs no editor.
   *
   * The operation first runs without `text` and returns the document to edit. It then runs with the edited `text`, and
   * again after each correction. If it edits an existing task, it also gets `base`, the document before the edit.
   */
  edits?(input: v.InferOutput<I>): string | undefined
  /** Returns the line to print as soon as `Live.tell` reports something; undefined to print nothing. */
  news?(news: object, style: Style): string | undefined
}

/**
 * The fields from which `npm run generate` makes tables and pages. The executable is built without them, so code
 * that runs cannot read them: see scripts/drop-documentation.ts.
 */
export interface Documentation<
  I extends InputSchema = InputSchema,
  O extends Output = Output,
  E extends readonly Code[] = readonly Code[],
> {
  tier: 0 | 1 | 2
  summary: string
  output: () => O
  /** Codes that this operation can return in addition to `commonCodes`. */
  errors: E
  /**
   * If set, the operation also has its own MCP tool, with these fields. The general tools `mutate` and `query` accept
   * all fields.
   */
  tool?: readonly Keys<I>[]
}

export interface Definition<
  I extends InputSchema,
  O extends Output,
  E extends readonly Code[],
  N extends keyof Contexts,
> extends Documentation<I, O, E> {
  name: `${string}.${string}`
  kind: 'query' | 'mutate'
  input: I
  cli: Cli<I, O>
  /**
   * What is opened before `run`. `world`: nothing. `project`: the project. `store`, the default: the project and its
   * store. `operations`: the same as `store`, and `run` can also call other operations.
   */
  needs?: N
  /**
   * True if the operation accepts several tasks: the first in its own field, the others in `more`. If a call gives
   * `more`, the answer has the field `tasks`, with one `output` for each task.
   */
  several?: true
  /** True if the operation reads entries. New manifest lines are ingested before `run`. */
  ingests?: true
  /**
   * If true, every agent is refused with exit 64. If it is a rule, the given fields decide whether an agent is
   * refused.
   */
  personOnly?: true | PersonRule<Keys<I>>
  /**
   * True if the operation changes the work of other agents. A spawn that calls it is refused with exit 64, before
   * anything is recorded.
   */
  orchestratorOnly?: true
  /**
   * Set if the operation can run commands of the project. If this depends on the input, a function decides. An MCP
   * server runs outside the sandbox of the agents that call it. So the server refuses calls that can run commands,
   * unless the setting `mcp.runCommands` allows them.
   */
  runsCommands?: true | ((input: v.InferOutput<I>) => boolean)
  /**
   * Set if the operation runs for a long time. Such an operation waits for locks without blocking other work of its
   * process, and reports what happens while it runs.
   */
  isLong?: true
  /**
   * The field that names a file to write. An MCP server does not write this file, because the agent that calls the
   * server may be in a sandbox that forbids it.
   */
  writesTo?: Keys<I>
  /**
   * True for input that names a file to read. An MCP server does not read this file, because the calling agent may be
   * in a sandbox that hides it.
   */
  readsFile?: (input: v.InferOutput<I>) => boolean
  human?(data: v.InferOutput<O>, style: Style): string[]
  /**
   * If the schema refuses the input, this is called with the valid parts of the input. Returns the problems in these
   * parts that a schema cannot find, so that one answer names all problems.
   */
  examine?(validParts: Partial<v.InferOutput<I>>, context: Contexts[N]): Promise<Fault[]>
  run(
    input: v.InferOutput<I>,
    context: Contexts[N],
  ): Promise<Result<v.InferOutput<O> | Several<v.InferOutput<O>>, E[number]>>
}

/** Any operation, for scripts that loop over all of them. */
// biome-ignore lint/suspicious/noExplicitAny: each operation's own types are checked where it is defined
export type DocumentedOperation = Definition<any, any, readonly Code[], any>

/** Any operation, for code that runs it. */
export type Operation = Omit<DocumentedOperation, keyof Documentation | 'cli'> & {
  cli: Omit<DocumentedOperation['cli'], keyof CliDocumentation>
}

export const operation = <
  const I extends InputSchema,
  O extends Output,
  const E extends readonly Code[],
  N extends keyof Contexts = 'store',
>(
  definition: Definition<I, O, E, N>,
): Definition<I, O, E, N> => definition

export const isForPerson = (
  rule: true | PersonRule | undefined,
  isGiven: (field: string) => boolean,
): boolean => {
  if (rule === undefined || rule === true) return rule === true
  const { when = [], unless } = rule
  return when.some(isGiven) || (unless !== undefined && !unless.some(isGiven))
}
