import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import type { Flag } from '../src/operation/command-table.ts'
import { commonCodes } from '../src/operation/common-codes.ts'
import type { DocumentedOperation } from '../src/operation/operation.ts'
import { catalogue } from '../src/refusals/refusal-catalogue.ts'
import { claimShape, taskLine } from '../src/tasks/task-shape.ts'
import { commandOf, type Found } from './operations.ts'
import { withComments } from './output-comments.ts'
import { type Schema, shapeText } from './shape-text.ts'

const header = '<!-- Made by `npm run generate`. Do not edit. -->'

/** Returns one page for each domain (the first word of an operation's name), and a first page with links to them. */
export const referencePages = (found: readonly Found[]): Map<string, string> => {
  const domains = Map.groupBy(
    found.map(({ operation }) => operation),
    ({ name }) => name.split('.')[0]!,
  )
  const sorted = [...domains].sort(([a], [b]) => a.localeCompare(b))
  const pages = new Map(sorted.map(([domain, each]) => [`${domain}.md`, domainPage(domain, each)]))
  return pages.set('README.md', firstPage(sorted))
}

const domainPage = (domain: string, operations: readonly DocumentedOperation[]): string =>
  [header, `# ${domain}`, '', ...operations.flatMap(operationLines)].join('\n')

const operationLines = (operation: DocumentedOperation): string[] => {
  const { words, also = [], kind, tier, summary, flags } = commandOf(operation)
  const { examples, sample } = operation.cli
  const places = flags.filter(({ at }) => at !== undefined).sort((a, b) => a.at! - b.at!)
  const named = places.map(({ key, required, rest }) =>
    required ? `<${key}>` : `[${key}${rest ? ' …' : ''}]`,
  )
  const usage = ['cleo', typed(words, flags, named)]
  return [
    `## ${words}`,
    '',
    `\`${operation.name}\` · ${kind} · tier ${tier}${peopleOnly(operation.personOnly)}${runsCommands(operation)}${also.map((name) => ` · also \`cleo ${name}\``).join('')}`,
    '',
    summary,
    '',
    '```sh',
    `${usage.join(' ')}${flags.length > places.length ? ' [flags]' : ''}`,
    '```',
    '',
    ...flagTable(flags),
    'Returns',
    '',
    '```ts',
    shapeText(outputSchema(operation.output), namedShapes),
    '```',
    '',
    ...(operation.several ? ['With more than one task: `{ tasks: … }`, a list of these.', ''] : []),
    ...refusals(operation),
    'Examples',
    '',
    '```sh',
    ...examples,
    '```',
    '',
    ...(sample ? [sample.about, '', '```markdown', ...sample.lines, '```', ''] : []),
  ]
}

const peopleOnly = (personOnly: DocumentedOperation['personOnly']): string => {
  if (!personOnly) return ''
  if (personOnly === true) return ' · people only'
  const { when = [], unless } = personOnly
  const named = (fields: readonly string[]) => fields.map((field) => `\`--${field}\``).join(' or ')
  return unless
    ? ` · people only, except with ${named(unless)}${when.length > 0 ? ` without ${named(when)}` : ''}`
    : ` · people only with ${named(when)}`
}

/** Says whether an operation runs project commands or writes a file: over MCP, both need a person's permission. */
const runsCommands = ({ runsCommands, writesTo }: DocumentedOperation): string => {
  if (runsCommands) return runsCommands === true ? ' · runs project commands' : ' · can run project commands'
  return writesTo ? ` · \`--${writesTo}\` writes a file` : ''
}

/**
 * Returns a command as it is typed. If a flag selects a form of the command, the flag and its value come after the
 * positionals: `verify <id> --gate <gate>`.
 */
const typed = (words: string, flags: readonly Flag[], named: readonly string[] = []): string => {
  const [command, form] = words.split(' --')
  const flag = flags.find(({ name }) => name === `--${form}`)
  const chosen =
    form === undefined ? [] : [`--${form}`, ...(flag && flag.kind !== 'switch' ? [`<${flag.key}>`] : [])]
  return [command, ...named, ...chosen].join(' ')
}

const flagTable = (flags: readonly Flag[]): string[] =>
  flags.length === 0
    ? []
    : [
        '| flag | takes | |',
        '|---|---|---|',
        ...flags.map((flag) => `| ${flagName(flag)} | ${takes(flag)} | ${cell(flag.about)} |`),
        '',
      ]

const flagName = ({ name, key, at }: Flag): string =>
  at === undefined ? `\`${name}\`` : `\`<${key}>\` or \`${name}\``

const takes = ({ kind, choices, required, fallback }: Flag): string => {
  const what = {
    text: 'text',
    number: 'a number',
    switch: 'nothing',
    list: 'a list, comma-separated or repeated',
    lines: 'text, repeatable',
    choice: choices?.map((choice) => `\`${choice}\``).join(' ') ?? '',
    rows: 'nothing; reads standard input',
  }[kind]
  return [
    what,
    ...(required ? ['required'] : []),
    ...(fallback === undefined ? [] : [`default ${fallback}`]),
  ].join('; ')
}

const refusals = ({ errors, personOnly }: DocumentedOperation): string[] => {
  const own = [...new Set([...errors, ...(personOnly ? ['person.needed' as const] : [])])]
  if (own.length === 0) return []
  return ['Refuses with', '', ...own.map((code) => `- \`${code}\`, exit ${catalogue()[code].exit}`), '']
}

const firstPage = (domains: readonly [string, readonly DocumentedOperation[]][]): string =>
  [
    header,
    '# Reference',
    '',
    ...domains.flatMap(([domain, operations]) => [
      `**[${domain}](${domain}.md)**`,
      '',
      '| command | |',
      '|---|---|',
      ...operations.map((operation) => {
        const { words, flags, summary } = commandOf(operation)
        return `| [\`cleo ${typed(words, flags)}\`](${domain}.md#${words.replaceAll(' ', '-')}) | ${cell(summary)} |`
      }),
      '',
    ]),
    'Exit codes and refusals are in [errors.md](errors.md), limits in [limits.md](limits.md), the configuration is described by',
    '[schemas/config.json](../../schemas/config.json).',
    '',
    '## Flags of every command',
    '',
    '| flag | |',
    '|---|---|',
    ...everywhere.map(([flag, about]) => `| \`${flag}\` | ${about} |`),
    '',
    '## Shared fields and shapes',
    '',
    '| field | |',
    '|---|---|',
    ...sharedFields.map(([field, about]) => `| \`${field}\` | ${about} |`),
    '',
    ...[...namedShapes].flatMap(([text, name]) => [
      '```ts',
      `type ${name} = ${shapeText(JSON.parse(text))}`,
      '```',
      '',
    ]),
    'Text is the default. `--json` prints `{success, data, meta}` or `{success, error, meta}` on one line, and `page: {total, atLeast?, limit, next?}` beside a',
    'list. An error is `{code, exit, message, fix?, alternatives?, problems?, moreProblems?, retryable}`: the first 50 problems, and how',
    'many more there are.',
    '',
    `Besides its own codes every operation may answer ${commonCodes.map((code) => `\`${code}\``).join(', ')}.`,
    '',
  ].join('\n')

const everywhere: [string, string][] = [
  ['--json', 'print one JSON object, the envelope; or set `CLEO_FORMAT=json`'],
  ['--human', 'print text, even where `CLEO_FORMAT=json` is set'],
  ['--format json', 'the same as `--json`; also `--format human`'],
  ['--raw', 'print only the data, without the envelope'],
  ['--quiet', 'print nothing; only the exit status tells the result'],
  ['--field path', 'print one value of the data, such as `task.id`'],
  ['--fields a,b', 'keep only these fields of the data, or of each item in its list'],
  ['--project DIR', 'use this project, not the one of the working directory; or set `CLEO_PROJECT`'],
  ['--session ID', 'session that the command belongs to; or set `CLEO_SESSION_ID`'],
  ['--as NAME', 'agent or person to act as; or set `CLEO_AGENT_ID`; default: the current user'],
  ['--dry-run', 'print the answer without changing anything; only for commands that change something'],
  ['--verbose', 'add a request id to `meta`'],
  ['--help', 'explain the command'],
]

const sharedFields: [string, string][] = [
  ['noChange', 'set if there was nothing to change'],
  ['then', 'the command to run next'],
  ['document', 'text to print as it is, such as a prompt or an export'],
  ['at, since, startedAt', 'a time, as an ISO date'],
  ['by, owner', 'a person, an agent or a spawn'],
  ['spawnId', 'the id of a spawn, such as `T012.1`'],
  ['sha256, hash', 'a SHA-256 hash in hexadecimal'],
]

const outputSchema = (output: () => GenericSchema): Schema => {
  const { $schema: _, ...rest } = toJsonSchema(withComments(output), { typeMode: 'input' })
  return rest as Schema
}

const namedShapes: ReadonlyMap<string, string> = new Map([
  [JSON.stringify(outputSchema(taskLine)), 'TaskLine'],
  [JSON.stringify(outputSchema(claimShape)), 'Claim'],
])

export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
