import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type * as v from 'valibot'
import { innermostSchema } from '../src/kernel/innermost-schema.ts'
import { inputLimits } from '../src/kernel/input-limits.ts'
import type { Command, CommandHelp, Flag } from '../src/operation/command-table.ts'
import type { DocumentedOperation } from '../src/operation/operation.ts'

const root = join(import.meta.dirname, '..', 'src')

export interface Found {
  /** The path below `src`, such as `tasks/ops/add.ts`. */
  file: string
  export: string
  operation: DocumentedOperation
}

/** Returns every operation. `tasks.add`, for example, is in a file `add.ts` in the `ops/` folder of a room. */
export const allOperations = async (): Promise<Found[]> => {
  const found: Found[] = []
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!entry.includes('/ops/') || !entry.endsWith('.ts')) continue
    const exports = (await import(join(root, entry))) as Record<string, unknown>
    for (const [name, value] of Object.entries(exports)) {
      if (!isOperation(value)) continue
      const expected = `${value.name.split('.').at(-1)}.ts`
      if (basename(entry) !== expected)
        throw new Error(`${value.name} is defined in ${entry}; its file is named ${expected}`)
      found.push({ file: entry, export: name, operation: value })
    }
  }
  return found.sort((a, b) => a.operation.cli.command.localeCompare(b.operation.cli.command))
}

const isOperation = (value: unknown): value is DocumentedOperation =>
  typeof value === 'object' && value !== null && 'cli' in value && 'run' in value && 'tier' in value

export const commandOf = ({
  name,
  kind,
  tier,
  summary,
  input,
  personOnly,
  cli,
}: DocumentedOperation): Command => ({
  words: cli.command,
  ...(cli.also && { also: cli.also }),
  operation: name,
  kind,
  tier,
  summary,
  flags: Object.entries(input.entries as Record<string, v.GenericSchema>).map(([key, schema]) =>
    flagOf(key, schema, cli.positional ?? []),
  ),
  ...(personOnly && { personOnly }),
})

export const commandHelpOf = ({ cli }: DocumentedOperation): CommandHelp => ({
  ...(cli.suggestedFor && { suggestedFor: cli.suggestedFor }),
  examples: cli.examples,
  ...(cli.sample && { sample: cli.sample }),
})

/**
 * Returns every name that a command has besides its own words: its synonyms, and the name of its operation with dots
 * and with spaces. Names that begin with `orchestrate` also exist with `orchestrator`.
 */
export const otherNames = (commands: readonly Command[]): Map<string, string> => {
  const words = new Set(commands.map((command) => command.words))
  const names = new Map<string, string>()
  for (const command of commands) {
    const operations = [command.operation, command.operation.replace(/^orchestrate\./, 'orchestrator.')]
    const spaced = operations.map((name) => name.replaceAll('.', ' '))
    for (const name of new Set([...(command.also ?? []), ...operations, ...spaced])) {
      if (name === command.words) continue
      if (words.has(name) || names.has(name)) throw new Error(`Two commands are named "${name}"`)
      names.set(name, command.words)
    }
  }
  return names
}

const flagOf = (key: string, schema: v.GenericSchema, positional: readonly string[]): Flag => {
  const type = schema.type as string
  const fallback =
    type === 'optional' ? (schema as unknown as { default?: Flag['fallback'] }).default : undefined
  const at = positional.indexOf(key)
  const inner = innermostSchema(schema)
  const kind = kindOf(inner, schema)
  const about = metadata(schema, 'description') as string | undefined
  if (!about) throw new Error(`${key} has no description`)
  return {
    key,
    name: `--${key.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`,
    kind,
    about,
    ...choicesOf(kind, inner),
    ...(type !== 'optional' && { required: true }),
    ...(at >= 0 && { at }),
    ...((metadata(schema, 'metadata') as Metadata)?.rest && { rest: true }),
    ...((metadata(schema, 'metadata') as Metadata)?.dash && { dash: true }),
    // The defaults of a switch (off) and a list (empty) are not worth printing.
    ...(fallback !== undefined && fallback !== false && !Array.isArray(fallback) && { fallback }),
    ...(kind === 'rows' ? { limit: `${inputLimits.batchBytes} bytes` } : kind === 'text' && limitOf(schema)),
  }
}

const choicesOf = (kind: Flag['kind'], inner: ReturnType<typeof innermostSchema>): Pick<Flag, 'choices'> => {
  if (kind === 'choice') return { choices: inner.options as string[] }
  const single = inner.type === 'union' && (inner.options as v.GenericSchema[]).at(-1)
  return single && single.type === 'picklist' && kind === 'list'
    ? { choices: innermostSchema(single).options as string[] }
    : {}
}

/** What the metadata of a schema says about its flag on the command line. */
type Metadata = { commas?: boolean; rest?: true; dash?: true } | undefined

/** The limit can be inside a pipe or a wrapped schema. */
const limitOf = (schema: v.GenericSchema): Pick<Flag, 'limit'> => {
  const { pipe, wrapped } = schema as unknown as { pipe?: Limited[]; wrapped?: v.GenericSchema }
  for (const item of (pipe ?? []).toReversed()) {
    if (item.bytes !== undefined) return { limit: `${item.bytes} bytes` }
    if (item.type === 'max_length' && innermostSchema(schema).type === 'string')
      return { limit: `${item.requirement} characters` }
    const found = item.kind === 'schema' && (item as unknown) !== schema ? limitOf(item as never) : {}
    if (found.limit) return found
  }
  return wrapped ? limitOf(wrapped) : {}
}

interface Limited {
  type: string
  kind: string
  requirement?: number
  bytes?: number
}

const kindOf = (inner: ReturnType<typeof innermostSchema>, schema: v.GenericSchema): Flag['kind'] => {
  switch (inner.type) {
    case 'boolean':
      return 'switch'
    case 'number':
      return 'number'
    case 'picklist':
      return 'choice'
    case 'union':
      return (inner.options as v.GenericSchema[]).some((option) => innermostSchema(option).type === 'array')
        ? 'list'
        : 'text'
    case 'array':
      if (innermostSchema(inner.item!).type === 'strict_object') return 'rows'
      return (metadata(schema, 'metadata') as Metadata)?.commas === false ? 'lines' : 'list'
    default:
      return 'text'
  }
}

/** The metadata can be inside a pipe or a wrapped schema. */
const metadata = (schema: v.GenericSchema, type: 'description' | 'metadata'): unknown => {
  const { pipe, wrapped } = schema as { pipe?: { type: string; kind: string }[]; wrapped?: v.GenericSchema }
  for (const item of (pipe ?? []).toReversed()) {
    if (item.kind === 'metadata' && item.type === type)
      return (item as unknown as Record<string, unknown>)[type]
    if (item.kind === 'schema' && (item as unknown) !== schema) {
      const found = metadata(item as unknown as v.GenericSchema, type)
      if (found !== undefined) return found
    }
  }
  return wrapped ? metadata(wrapped, type) : undefined
}
