import { packageScripts } from './build-files.ts'
import { makefilesIn } from './makefiles.ts'
import type { ProjectFolder } from './project-folder.ts'
import type { WorkspacePackage } from './workspace-packages.ts'

type Texts = Pick<ProjectFolder, 'read' | 'list' | 'isFile' | 'isFolder'>

/** A command with the text of the scripts or make targets that it runs. */
export interface CommandText {
  words: readonly string[]
  pieces: ReadonlyMap<string, string>
}

/**
 * Returns the text of each script or target that a command runs, by name. Includes scripts and targets that other
 * scripts or targets call. CLEO pins these texts as well as the words, because the words `npm run lint` stay the same
 * when the script changes.
 */
export const commandPieces = (words: readonly string[], project: Texts): ReadonlyMap<string, string> => {
  const named = shellWords(words.join(' '))
  const pieces = new Map<string, string>()
  if (named.some((word) => programName(word) === 'make')) {
    const { targets, variables } = makefilesIn(project)
    addAll(pieces, follow(named, new Map([...variables, ...targets])))
  }
  if (named.some(isPackageManager))
    addAll(
      pieces,
      follow(named.flatMap(withHooks), packageScripts(project.read('package.json') ?? ''), withHooks),
    )
  return pieces
}

/** Returns every word in a command and its scripts. Each word may name a script of a workspace package. */
export const wordsCalled = ({ words, pieces }: CommandText, settings: readonly string[]): string[] => [
  ...new Set([...words, ...pieces.keys(), ...[...pieces.values(), ...settings].flatMap(shellWords)]),
]

export const packageSource = ({ scripts }: WorkspacePackage, called: readonly string[]): string =>
  [...follow(called.filter((word) => isCalled(scripts, word)).flatMap(withHooks), scripts, withHooks)]
    .map(([name, piece]) => `${name}: ${piece}`)
    .join('\n')

/**
 * Returns the target that make would skip. Make skips a target if a file or folder has the same name, and neither the
 * target nor one of its prerequisites is phony.
 */
export const skippedTarget = (words: readonly string[], project: Texts): string | undefined => {
  if (programName(words[0]!) !== 'make') return undefined
  const named = words.slice(1).filter((word) => project.isFile(word) || project.isFolder(word))
  if (named.length === 0) return undefined
  const { targets, phony } = makefilesIn(project)
  const needsOf = (target: string) => (targets.get(target) ?? '').split(';')[0]!.split(/\s+/)
  const last = words.at(-1)
  return named.find(
    (target) =>
      (target === last || targets.has(target)) &&
      !phony.has(target) &&
      !needsOf(target).some((need) => phony.has(need)),
  )
}

export const programName = (word: string): string =>
  word.slice(word.lastIndexOf('/') + 1).replace(/\.(?:cmd|exe|bat)$/, '')

export const isPackageManager = (word: string): boolean =>
  ['npm', 'pnpm', 'yarn', 'bun', 'npx', 'bunx', 'corepack'].includes(programName(word))

export const shellWords = (text: string): string[] =>
  text.split(/[\s"'`;&|(){}]+/).filter((word) => word !== '')

const withHooks = (name: string): string[] => [`pre${name}`, name, `post${name}`]

/**
 * Collects the named scripts or targets and everything that they call. Every word that equals a name counts as a call.
 * A false match does no harm, but a missed call would hide a change.
 */
const follow = (
  start: readonly string[],
  pieces: ReadonlyMap<string, string>,
  around: (name: string) => string[] = (name) => [name],
): Map<string, string> => {
  const found = new Map<string, string>()
  const open = start.flatMap((word) => namesFor(pieces, word))
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const piece = pieces.get(name)
    if (piece === undefined || found.has(name)) continue
    found.set(name, piece)
    for (const word of shellWords(piece)) open.push(...namesFor(pieces, word).flatMap(around))
  }
  return new Map([...pieces].filter(([name]) => found.has(name)))
}

/** `lint:*` calls every script whose name starts with `lint:`. */
const namesFor = (pieces: ReadonlyMap<string, string>, word: string): string[] => {
  if (!word.endsWith('*') || word === '*') return pieces.has(word) ? [word] : []
  return [...pieces.keys()].filter((name) => name.startsWith(word.slice(0, word.indexOf('*'))))
}

const isCalled = (pieces: ReadonlyMap<string, string>, word: string): boolean =>
  namesFor(pieces, word).length > 0

const addAll = (all: Map<string, string>, more: ReadonlyMap<string, string>): void => {
  for (const [name, piece] of more) if (!all.has(name)) all.set(name, piece)
}
