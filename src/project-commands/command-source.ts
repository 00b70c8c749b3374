import { packageScripts, readMakefile } from './build-files.ts'

type ReadText = (file: string) => string | undefined

/**
 * The lines behind a detected command, and behind the scripts and targets those call: `npm run lint` stays three words
 * whatever the script says, so a pin of the words alone would miss a changed script.
 */
export const commandSource = (words: readonly string[], text: ReadText): string[] => {
  const [program, ...args] = words
  const name = args.at(-1) ?? ''
  if (program === 'make') {
    const { targets, variables } = readMakefile(text('Makefile') ?? '')
    return follow([name], new Map([...variables, ...targets]))
  }
  if (!packageManagers.includes(program ?? '')) return []
  return follow(withHooks(name), packageScripts(text('package.json') ?? ''), withHooks)
}

/**
 * The settings files and makefiles that decide what a detected command does. Scripts that it runs are not among them:
 * `sh test.sh` and `node test.js` are tests, and tests are what an agent is spawned to write.
 */
export const commandFiles = (program: string | undefined, text: ReadText): readonly string[] =>
  program === 'make' ? makefilesWithIncludes(text) : (settingsFiles[program ?? ''] ?? [])

/** True if a file has the name of the target and the target is not phony: make then runs nothing. */
export const makeWouldSkip = (
  words: readonly string[],
  makefile: string | undefined,
  exists: (name: string) => boolean,
): boolean => {
  const target = words.at(-1)!
  return words[0] === 'make' && exists(target) && !readMakefile(makefile ?? '').phony.has(target)
}

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun']

/** A package manager runs these before and after a script, by name alone. */
const withHooks = (name: string): string[] => [`pre${name}`, name, `post${name}`]

/**
 * Any word that is the name of another script or target counts as a call of it: one call too many does no harm, one too
 * few does.
 */
const follow = (
  start: readonly string[],
  pieces: ReadonlyMap<string, string>,
  around: (name: string) => string[] = (name) => [name],
): string[] => {
  const found = new Map<string, string>()
  const open = [...start]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    const piece = pieces.get(name)
    if (piece === undefined || found.has(name)) continue
    found.set(name, piece)
    for (const word of piece.split(/[\s"'`;&|(){}]+/)) if (pieces.has(word)) open.push(...around(word))
  }
  return [...found].map(([name, piece]) => `${name}: ${piece}`)
}

/** Missing files are pinned as missing: a settings file that appears later counts as a change. */
const settingsFiles: Readonly<Record<string, readonly string[]>> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', 'pnpm-workspace.yaml'],
  yarn: ['.npmrc', '.yarnrc', '.yarnrc.yml'],
  bun: ['.npmrc', 'bunfig.toml'],
  cargo: ['.cargo/config.toml', '.cargo/config'],
}

const mostMakefiles = 100

/** In the order in which make looks for them, with all they include. */
const makefilesWithIncludes = (text: ReadText): string[] => {
  const found = new Set<string>()
  const open = ['GNUmakefile', 'makefile', 'Makefile']
  for (let file = open.shift(); file !== undefined && found.size < mostMakefiles; file = open.shift()) {
    if (found.has(file)) continue
    found.add(file)
    open.push(...readMakefile(text(file) ?? '').includes)
  }
  return [...found]
}
