import * as v from 'valibot'
import { clientNames } from '../kernel/client-names.ts'
import type { Style } from '../kernel/style.ts'
import { checkedShape, drawChecks } from './check-all.ts'
import { clientFacts } from './client-facts.ts'

export const setupShape = () =>
  v.object({
    /** False if this is a preview, or if nothing had to be changed. */
    applied: v.boolean(),
    files: v.array(
      v.object({
        client: v.optional(v.picklist(clientNames)),
        path: v.string(),
        change: v.picklist(['create', 'change', 'restore', 'delete', 'remove entries']),
        /** The changes. Not set for a new file that belongs to CLEO alone. */
        diff: v.optional(v.array(v.string())),
        /** How many lines a new file has, if it belongs to CLEO alone. */
        lines: v.optional(v.number()),
      }),
    ),
    /** The user's entries and files that CLEO kept instead of writing its own for the same purpose. */
    kept: v.optional(v.array(v.object({ path: v.string(), what: v.string() }))),
    /** What a person has to do next. */
    next: v.optional(v.array(v.string())),
    noChange: v.optional(v.literal(true)),
    ...v.partial(checkedShape()).entries,
  })
export type SetupAnswer = v.InferOutput<ReturnType<typeof setupShape>>

const did = {
  create: 'created',
  change: 'changed',
  restore: 'restored',
  delete: 'deleted',
  'remove entries': 'entries removed',
} as const

export const drawSetup = (answer: SetupAnswer, style: Style): string[] => {
  const { checks, applied, files, kept = [], next = [], noChange } = answer
  if (checks) return drawChecks({ checks }, style)
  return [
    ...(noChange ? ['Nothing to change.'] : []),
    ...files.flatMap((file) => (applied ? [drawDone(file, style)] : drawPlanned(file, style))),
    ...kept.map(({ path, what }) => `${style.yellow('kept')} ${path}: ${what}`),
    ...next.map((line) => `  ${line}`),
  ]
}

type File = SetupAnswer['files'][number]

const drawDone = ({ path, change, client }: File, style: Style): string =>
  `${style.green('✓')} ${path}  ${did[change]}${client ? style.dim(`  ${clientFacts[client].title}`) : ''}`

const drawPlanned = ({ path, change, diff, lines, client }: File, style: Style): string[] => [
  `${style.bold(change)} ${style.cyan(path)}${lines === undefined ? '' : `  ${lines} lines`}${client ? style.dim(`  ${clientFacts[client].title}`) : ''}`,
  ...(diff ?? []).map((line) =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line,
  ),
]
