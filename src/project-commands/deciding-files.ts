import { sha256 } from '../host/sha256.ts'
import { packageScripts } from './build-files.ts'
import { type BuildTool, buildTools } from './build-tools.ts'
import {
  type CommandText,
  isPackageManager,
  packageSource,
  programName,
  shellWords,
  wordsCalled,
} from './command-source.ts'
import { matchingFiles } from './glob.ts'
import { makefilesIn } from './makefiles.ts'
import { moduleFiles } from './module-files.ts'
import type { ProjectFolder } from './project-folder.ts'
import { shadowingModules } from './python-modules.ts'
import { projectPrograms, startedPrograms } from './script-programs.ts'
import type { WorkspacePackage } from './workspace-packages.ts'

/**
 * The files that decide what a command does: the path and the hash of each file. A missing file has an empty hash.
 * To compare an earlier list with a later list, check only the paths of the earlier list. A path that is only in the
 * later list needs no check. CLEO found this path through a file that changed. The changed file is in both lists, so
 * the comparison already finds a change.
 */
export type DecidingFiles = Readonly<Record<string, string>>

/** Finds the files that decide what a command does, and hashes them. Reads no other files. */
export const decidingFiles = (
  project: ProjectFolder,
  command: CommandText,
  /** Called only if the command can run scripts of the packages. */
  packages: () => readonly WorkspacePackage[],
): DecidingFiles => {
  const { words, pieces } = command
  const lines = [words.join(' '), ...pieces.values()]
  const tools = toolsIn(command)
  const found = settingsOf(
    project,
    tools.map((name) => buildTools[name]!),
    words,
  )
  if (lines.some(usesMake)) Object.assign(found, makefileHashes(project, lines))
  for (const path of projectPrograms(lines, project)) found[path] = project.hash(path)
  if (tools.some((name) => buildTools[name]!.needs?.includes('python3')))
    Object.assign(found, shadowingModules(project))
  for (const [path, part] of moduleFiles(project, tools)) found[path] = hashOf(project.read(path), part)
  if (tools.includes('yarn')) for (const path of yarnPrograms(project)) found[path] = project.hash(path)
  if (tools.some(isPackageManager)) Object.assign(found, packageHashes(project, command, packages()))
  return found
}

export const toolsIn = ({ words, pieces }: CommandText): string[] => {
  const started = [...pieces.values()].flatMap(startedPrograms).map(([program]) => program!)
  const named = [...shellWords(words.join(' ')), ...started].map(programName)
  return [...new Set(named)].filter((name) => Object.hasOwn(buildTools, name))
}

/** If one tool needs only a part of a file and another needs the whole file, the whole file is pinned. */
const settingsOf = (
  project: ProjectFolder,
  tools: readonly BuildTool[],
  words: readonly string[],
): Record<string, string> => {
  const parts = tools.flatMap((tool) => Object.entries(tool.parts ?? {}))
  const files = tools.flatMap((tool) => tool.files ?? [])
  return {
    ...Object.fromEntries(
      parts.map(([path, part]) => [path, hashOf(project.read(path), (content) => part(content, words))]),
    ),
    ...Object.fromEntries(files.map((path) => [path, project.hash(path)])),
  }
}

const hashOf = (content: string | undefined, part: (content: string) => string): string =>
  content === undefined ? '' : sha256(part(content))

const usesMake = (line: string): boolean => /(?:^|[\s/({])make(?:$|[\s)}])|\$[({]MAKE[)}]/.test(line)

/** Hashes the makefiles of the folder and of folders that the command names, such as `lib` in `make -C lib`. */
const makefileHashes = (project: ProjectFolder, lines: readonly string[]): Record<string, string> => {
  const words = [...new Set(lines.flatMap(shellWords))]
  const folders = words
    .filter((word) => !word.startsWith('/') && project.isFolder(word))
    .slice(0, mostFolders)
  const named = words.flatMap((word, i) => (words[i - 1] === '-f' && project.isFile(word) ? [word] : []))
  const makefiles = [
    makefilesIn(project),
    ...named.map((name) => makefilesIn(project, '', [name])),
    ...folders.map((folder) => makefilesIn(project, `${folder.replace(/\/+$/, '')}/`)),
  ]
  const hashes = makefiles
    .flatMap(({ files }) => files)
    .map((path) => [path, path.includes('*') ? matchingFiles(project, path).join(' ') : project.hash(path)])
  return Object.fromEntries(hashes)
}

const mostFolders = 50

/** Returns the paths of Yarn itself and of its plugins, as Yarn's settings name them. Yarn runs these files. */
const yarnPrograms = ({ read }: ProjectFolder): string[] =>
  [...(read('.yarnrc.yml') ?? '').matchAll(/^\s*-?\s*(?:yarnPath|path):\s*["']?([^"'\s]+)/gm)].map(
    ([, path]) => path!,
  )

/**
 * Hashes the scripts that the command can run, in packages of the workspace and in folders that the command names.
 * Leaves out a package.json if the command can run none of its scripts.
 */
const packageHashes = (
  project: ProjectFolder,
  command: CommandText,
  packages: readonly WorkspacePackage[],
): Record<string, string> => {
  const settings = ['turbo.json', 'nx.json', 'lerna.json'].flatMap((name) => project.read(name) ?? [])
  const called = wordsCalled(command, settings)
  const named = called
    .filter((word) => !word.startsWith('/') && project.isFile(`${word}/package.json`))
    .map((word) => word.replace(/^\.\//, '').replace(/\/+$/, ''))
    .map((folder) => ({ folder, scripts: packageScripts(project.read(`${folder}/package.json`)!) }))
  const found: Record<string, string> = {}
  for (const each of [...packages, ...named]) {
    const source = packageSource(each, called)
    // Store only half of each hash, because a workspace may have a thousand packages. Half is enough to notice an edit.
    if (source !== '') found[`${each.folder}/package.json`] = sha256(source).slice(0, 32)
    for (const name of packageSettings(project))
      found[`${each.folder}/${name}`] = project.hash(`${each.folder}/${name}`)
  }
  return found
}

const packageSettings = ({ names }: ProjectFolder): string[] => [
  ...(names.includes('nx.json') ? ['project.json'] : []),
  ...(names.includes('turbo.json') ? ['turbo.json'] : []),
]
