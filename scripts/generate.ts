import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rules } from '../conformance/rules.ts'
import type { Command } from '../src/operation/command-table.ts'
import { completionScripts } from './completion-scripts.ts'
import { allProofs, gaps } from './conformance.ts'
import { contentModules } from './content.ts'
import { withFlows } from './flows.ts'
import { mcpTools } from './mcp-tools.ts'
import { allOperations, commandHelpOf, commandOf, type Found, otherNames } from './operations.ts'
import { pages } from './pages.ts'
import { recording } from './recording.ts'
import { sessionPictures } from './session-pictures.ts'

const root = join(import.meta.dirname, '..')
const header = '// Made by `npm run generate`. Do not edit.\n'

/** All generated files, by path. `--check` reports the outdated ones instead of writing them. */
const generated = async (): Promise<Map<string, string>> => {
  const files = new Map<string, string>()
  files.set('src/store/generated/migrations.ts', migrations())
  files.set('src/store/generated/schema-version.ts', schemaVersion())
  for (const [path, text] of await contentModules(header)) files.set(path, text)
  const found = await allOperations()
  const commands = found.map(({ operation }) => commandOf(operation))
  files.set('src/operation/generated/commands.ts', commandTable(commands))
  files.set('src/operation/generated/command-help.ts', commandHelp(found))
  files.set('src/perform/generated/load.ts', loader(found))
  for (const [path, text] of completionScripts(header, commands)) files.set(path, text)
  files.set(
    'src/perform/generated/operations.ts',
    `${header}/** The definition behind each name, for types. */\nexport interface Operations {\n${found
      .map(
        ({ operation, file, export: name }) =>
          `  '${operation.name}': typeof import('../../${file}')['${name}']\n`,
      )
      .join('')}}\n`,
  )
  files.set(
    'src/mcp/generated/tools.ts',
    `${header}import type { NamedTool } from '../tool.ts'\n\n/** The MCP tools of single operations. */\nexport const namedTools: readonly NamedTool[] = ${JSON.stringify(mcpTools(found), null, 2)}\n`,
  )
  for (const [path, text] of pages(found)) files.set(path, text)
  for (const [path, text] of sessionPictures()) files.set(path, text)
  files.set('docs/recording.svg', recording())
  return files
}

/**
 * The operations that agents call most. They are part of the everyday chunk. In a chunk of its own, an operation would
 * need an import(), which takes as long as two queries.
 */
const everyday = ['tasks.show', 'tasks.find', 'focus.show', 'orchestrate.next', 'orchestrate.ready']

const loader = (found: Found[]): string => {
  const nameOf = ({ operation }: Found) =>
    operation.name.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())
  const daily = found.filter(({ operation }) => everyday.includes(operation.name))
  const imports = daily.map(
    (each) => `import { ${each.export} as ${nameOf(each)} } from '../../${each.file}'\n`,
  )
  const cases = (some: Found[], loaded: (each: Found) => string) =>
    some.map((each) => `    case '${each.operation.name}':\n      return ${loaded(each)}\n`).join('')
  return `${header}import type { Operation } from '../../operation/operation.ts'\n${imports.join('')}
/** Everyday operations are part of every command. Any other operation is loaded only here. */
export const load = (name: string): Operation | Promise<Operation | undefined> => {
  switch (name) {
${cases(daily, nameOf)}    default:
      return loadRarer(name)
  }
}

const loadRarer = async (name: string): Promise<Operation | undefined> => {
  switch (name) {
${cases(
  found.filter((each) => !daily.includes(each)),
  ({ file, export: name }) => `(await import('../../${file}')).${name}`,
)}    default:
      return undefined
  }
}
`
}

const commandHelp = (found: readonly Found[]): string =>
  `${header}import type { HelpTable } from '../command-table.ts'

export const helpTable: HelpTable = ${JSON.stringify(
    Object.fromEntries(found.map(({ operation }) => [operation.cli.command, commandHelpOf(operation)])),
    null,
    2,
  )}
`

const commandTable = (commands: Command[]): string => {
  const others = otherNames(commands)
  const prefixes = new Set(
    [...commands.map(({ words }) => words), ...others.keys()].flatMap((words) =>
      words
        .split(' ')
        .slice(0, -1)
        .map((_, i, all) => all.slice(0, i + 1).join(' ')),
    ),
  )
  let rows = ''
  let places = '\n'
  for (const { words, ...command } of commands) {
    places += `${words}\t${rows.length}\n`
    rows += `${latin(JSON.stringify(command))}\n`
  }
  const names = [...others].map(([name, words]) => `\n${name}\t${words}\n`).join('')
  return `${header}import type { CommandPlaces, CommandTable, OtherNames } from '../command-table.ts'

export const table: CommandTable = ${JSON.stringify(rows)}

export const places: CommandPlaces = ${JSON.stringify(places)}

export const otherNames: OtherNames = ${JSON.stringify(names)}

/** Words with which longer commands begin, such as consensus and orchestrate spawn: one such beginning per line. */
export const prefixes = ${JSON.stringify(`\n${[...prefixes].sort().join('\n')}\n`)}
`
}

/**
 * Escapes every character beyond Latin-1. If the text had a single such character, the engine would store the whole
 * text in two bytes per character.
 */
const latin = (json: string): string =>
  json.replace(/[^\0-\xff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const migrations = (): string => {
  const stepsFor = (database: string) => {
    const folder = join(root, 'src/store/migrations', database)
    return readdirSync(folder)
      .sort()
      .map((name) => ({
        version: Number(name.slice(0, 4)),
        name: name.slice(5, -4),
        sql: readFileSync(join(folder, name), 'utf8'),
      }))
  }
  const all = { sqlite: stepsFor('sqlite'), postgres: stepsFor('postgres') }
  return `${header}export const migrations = ${JSON.stringify(all, null, 2)}\n`
}

/** The schema version has its own file, because every command needs it and few need the SQL of the migrations. */
const schemaVersion = (): string => {
  const newest = readdirSync(join(root, 'src/store/migrations/sqlite')).sort().at(-1)!
  return `${header}/** The number of the newest migration, of either database. */\nexport const schemaVersion = ${Number(newest.slice(0, 4))}\n`
}

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const check = process.argv.includes('--check')
const stale = new Set<string>()
const put = (path: string, text: string): void => {
  const target = join(root, path)
  if (read(target) === text) return
  stale.add(path)
  if (check) return
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, text)
}
for (const [path, text] of await generated()) put(path, text)
// This comes last, because `withFlows` runs the program with the files that were just written.
const architecture = 'docs/architecture.md'
put(architecture, withFlows(read(join(root, architecture))!))
// Without `--check`, a rule without a test is only reported, so that a developer can write the rule before its
// test.
const missing = gaps(rules, allProofs())
for (const gap of missing) console.error(gap)
if (!check) for (const path of stale) console.log(`wrote ${path}`)
else if (stale.size > 0) console.error(`Out of date: ${[...stale].join(', ')}. Run npm run generate.`)
if (check && stale.size + missing.length > 0) process.exit(1)
