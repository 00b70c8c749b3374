import { inputLimits, mostProblems } from '../src/kernel/input-limits.ts'
import { limits } from '../src/kernel/task.ts'
import { maxEntryBytes } from '../src/manifest/entry.ts'
import { commandOf, type Found } from './operations.ts'

const header = '<!-- Made by `npm run generate`. Do not edit. -->'

const number = (value: number): string => value.toLocaleString('en-US')
const size = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / 1024 / 1024} MiB` : `${bytes / 1024} KiB`

export const limitsPage = (found: readonly Found[]): string =>
  [
    header,
    '# Limits',
    '',
    'Limits are checked before the transaction starts, so that too much input does not make other commands wait. The refusal has',
    'exit 6 and names the limit. The reasons are in [decision 39](../decisions/0039-limits-before-work.md).',
    '',
    '## Fields',
    '',
    ...table('field', fields),
    '## One call',
    '',
    ...table('what', calls),
    '## Standard input',
    '',
    'A command stops reading standard input when the value is longer than its limit, so a pipe that never ends is refused too.',
    `Ids, names and other short values have at most ${number(inputLimits.value)} bytes or characters, or the limit of their field.`,
    '',
    ...table('value', readValues(found)),
  ].join('\n')

type Row = readonly [string, string]

const table = (title: string, rows: readonly Row[]): string[] => [
  `| ${title} | at most |`,
  '|---|---|',
  ...rows.map(([what, limit]) => `| ${what} | ${limit} |`),
  '',
]

const fields: Row[] = [
  ['title', `${limits.title} characters`],
  ['description', size(limits.description)],
  ['labels', `${limits.labels}, each ${limits.label} characters`],
  ['dependencies', number(limits.depends)],
  ['files', `${limits.files}, each ${limits.file} characters`],
  [
    'criteria, with the check boxes in the description',
    `${limits.criteria}, each ${limits.criterion} characters`,
  ],
  ['note, memory', size(limits.note)],
  ['reason', `${number(limits.reason)} characters`],
  ['manifest entry', size(maxEntryBytes)],
]

const calls: Row[] = [
  ['rows of a batch', number(inputLimits.batchRows)],
  ['dependencies, labels, files and criteria of all its rows together', number(inputLimits.batchItems)],
  ['an import, from a file or standard input', size(inputLimits.importBytes)],
  ['tasks that an import adds to a project that already has data', number(inputLimits.importedTasks)],
  ['levels of JSON inside each other', `${inputLimits.jsonDepth}; in a manifest entry 32`],
  ['problems, and warnings, that an answer shows; the others are counted', number(mostProblems)],
]

const readValues = (found: readonly Found[]): Row[] =>
  found.flatMap(({ operation }) => {
    const { words, flags } = commandOf(operation)
    const long = flags.filter(({ limit }) => Number.parseInt(limit ?? '0', 10) > inputLimits.value)
    return long.flatMap(({ name, limit }): Row[] => (limit ? [[`\`${words}\` ${name}`, shown(limit)]] : []))
  })

/** Formats `65536 bytes` as `64 KiB`. */
const shown = (limit: string): string => {
  const [count, unit] = limit.split(' ')
  const bytes = Number(count)
  return unit === 'bytes' && bytes % 1024 === 0 ? size(bytes) : `${number(bytes)} ${unit}`
}
