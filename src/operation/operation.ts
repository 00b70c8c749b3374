import type * as v from 'valibot'
import type { Code } from '../kernel/refusal-catalogue.ts'
import type { Fault, Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import type { Contexts } from './context.ts'

type Input = v.StrictObjectSchema<v.ObjectEntries, undefined>
type Output = v.GenericSchema
type Keys<I extends Input> = keyof I['entries'] & string

export interface Cli<I extends Input, O extends Output> {
  /** The command's words, such as `session start`. Help and every printed command use this name. */
  command: string
  /** Other words for the same command, such as `ls`. The operation's name is one of them without being listed. */
  also?: readonly string[]
  /** Words that are not commands. For one of them, the error message suggests this command. */
  suggestedFor?: readonly string[]
  positional?: readonly Keys<I>[]
  examples: readonly [string, ...string[]]
  /** A document or a script to print instead of the envelope; undefined prints the envelope. */
  document?(data: v.InferOutput<O>): string | undefined
  /**
   * At a terminal, a question about what the command would do: it is run with `dryRun` and shown first, and with `yes` once
   * the person agrees. Undefined runs the command without a question.
   */
  asks?(input: v.InferOutput<I>): string | undefined
}

export interface Definition<
  I extends Input,
  O extends Output,
  E extends readonly Code[],
  N extends keyof Contexts,
> {
  name: `${string}.${string}`
  kind: 'query' | 'mutate'
  tier: 0 | 1 | 2
  summary: string
  input: I
  output: () => O
  /** Codes that this operation can return in addition to `commonCodes`. */
  errors: E
  cli: Cli<I, O>
  /** What to open before `run`: nothing (`world`), the project, or the project's store (the default). */
  needs?: N
  /** Ingest new lines of the manifest first, because the operation reads entries. */
  ingests?: true
  /** Refuses agents with exit 64: always if true, or only for input for which the function returns true. */
  personOnly?: boolean | ((input: v.InferOutput<I>) => boolean)
  /** Refuses spawns with exit 64 before anything is recorded: the operation acts on the work of others. */
  orchestratorOnly?: true
  /**
   * Can run commands of the project: always if true, or only for input for which the function returns true. An MCP server
   * runs outside the sandbox of the agents that call it, so it does not run these unless a person allows it.
   */
  runsCommands?: true | ((input: v.InferOutput<I>) => boolean)
  /** The field that names a file to write. A server does not write where an agent in a sandbox says. */
  writesTo?: Keys<I>
  /** Offered as an MCP tool of its own, with these fields; `mutate` and `query` take all of them. */
  tool?: readonly Keys<I>[]
  human?(data: v.InferOutput<O>, style: Style): string[]
  /** Finds further problems of input that failed its schema, using its valid parts. */
  examine?(validParts: Partial<v.InferOutput<I>>, context: Contexts[N]): Promise<Fault[]>
  run(input: v.InferOutput<I>, context: Contexts[N]): Promise<Result<v.InferOutput<O>, E[number]>>
}

/** Any operation, for code that loops over all of them. */
// biome-ignore lint/suspicious/noExplicitAny: each operation's own types are checked where it is defined
export type Operation = Definition<any, any, readonly Code[], any>

export const operation = <
  const I extends Input,
  O extends Output,
  const E extends readonly Code[],
  N extends keyof Contexts = 'store',
>(
  definition: Definition<I, O, E, N>,
): Definition<I, O, E, N> => definition
