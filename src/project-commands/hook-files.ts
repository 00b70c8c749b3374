import { sha256 } from '../host/sha256.ts'
import { filesBelow, hashFiles } from '../host/stat.ts'
import type { Config } from '../kernel/config.ts'
import { type HookEvent, hookEvents } from '../kernel/config-words.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { hookItems, hooksOf, type Trustable } from '../project/trust-records.ts'
import { decideCommand } from './decide-command.ts'

type HookProject = Pick<Project, 'host' | 'root'>

/**
 * Returns the items that a person must trust before a hook runs: its words, and the project's files that decide what
 * the words do. Finds these files in the same way as for the project's commands.
 */
export const itemsOfHook = (
  project: HookProject,
  config: Config,
  event: HookEvent,
  i: number,
): Trustable[] => {
  const words = hooksOf(config, event)[i]!.run
  const own = hookItems(project.host, project.root, config, event)[i]!
  // Leave out the files that the words name exactly, because the first item already covers them.
  const named = new Set(words.map((word) => resolvePath(project.root, word).slice(project.root.length + 1)))
  const { source, files, programs } = decideCommand(project, project.root)(words)
  const decided = [...Object.entries(files), ...words.flatMap((word) => namedFiles(project, word))]
    .filter(([path, hash]) => hash !== '' && !named.has(path))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  const found = programs.map(({ item }) => item)
  if (source.length + decided.length === 0) return [own, ...found]
  const names = [...new Set(decided.map(([path]) => path))].join(', ')
  const what = [words.join(' '), ...source].join(' → ') + (names ? `; depends on ${names}` : '')
  const hash = sha256(JSON.stringify([words, source, decided]))
  return [own, { kind: 'hook', name: `files of ${event} ${i + 1}`, what, sha256: hash }, ...found]
}

/** Returns, for each hook, the items that a person must trust: first its words, then its files and programs. */
export const itemsOfHooks = (project: HookProject, config: Config): Trustable[][] =>
  hookEvents.flatMap((event) => hooksOf(config, event).map((_, i) => itemsOfHook(project, config, event, i)))

export const hookFileItems = (project: HookProject, config: Config): Trustable[] =>
  itemsOfHooks(project, config).flatMap(([, ...files]) => files)

/** If a word names a file without its extension, an interpreter tries these extensions. */
const endings = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.py', '.sh', '.rb', '.pl']
const mostFiles = 500

/**
 * Returns the path and hash of what a word names. For a folder, one hash covers all files in the folder. For a file
 * without its extension, returns each file that exists with one of `endings`.
 */
const namedFiles = ({ host, root }: HookProject, word: string): [string, string][] => {
  const { files } = host
  const path = resolvePath(root, word)
  if (!isBelow(root, path)) return []
  if (files.kind(path) === 'folder') {
    const all = filesBelow(path, mostFiles)
    return [[`${word}/`, (all && hashFiles(path, all)) ?? 'too many files, or one that cannot be read']]
  }
  return endings.flatMap((ending): [string, string][] =>
    files.kind(path + ending) === 'file' ? [[word + ending, sha256(files.read(path + ending) ?? '')]] : [],
  )
}
