import { packageScripts, readMakefile } from './build-files.ts'

type ReadText = (file: string) => string | undefined

/**
 * Returns the text of the script or target that a detected command runs, and of every script or target called from
 * there. Pinning only the words `npm run lint` would miss a change to the script.
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
 * Returns the settings files and makefiles that decide what a detected command does. Scripts such as `test.sh` are
 * not included: they are tests, and agents are spawned to write tests.
 */
export const commandFiles = (program: string | undefined, text: ReadText): readonly string[] =>
  program === 'make' ? makefilesWithIncludes(text) : (settingsFiles[program ?? ''] ?? [])

/** True if make would run nothing, because a file has the name of the target and the target is not phony. */
export const makeWouldSkip = (
  words: readonly string[],
  makefile: string | undefined,
  exists: (name: string) => boolean,
): boolean => {
  const target = words.at(-1)!
  return words[0] === 'make' && exists(target) && !readMakefile(makefile ?? '').phony.has(target)
}

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun']

/** Package managers run `pre<name>` before a script and `post<name>` after the script. */
const withHooks = (name: string): string[] => [`pre${name}`, name, `post${name}`]

/**
 * Collects the named scripts or targets, and all that they call. Any word that equals a name counts as a call: a
 * false match does no harm, but a missed call would hide a change.
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

/** Settings files by program. A missing file is pinned as missing, so creating the file later counts as a change. */
const settingsFiles: Readonly<Record<string, readonly string[]>> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', 'pnpm-workspace.yaml'],
  yarn: ['.npmrc', '.yarnrc', '.yarnrc.yml'],
  bun: ['.npmrc', 'bunfig.toml'],
  cargo: ['.cargo/config.toml', '.cargo/config'],
}

const mostMakefiles = 100

/** Returns the makefiles in the order in which make looks for them, then the files that they include. */
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
