import { contentAt } from '../host/content-at.ts'
import type { Host } from '../host/host.ts'
import { isInFolders, which } from '../host/programs.ts'
import { sha256 } from '../host/sha256.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Trustable } from '../project/trust-records.ts'
import { buildTools } from './build-tools.ts'
import { type CommandText, programName } from './command-source.ts'
import { toolsIn } from './deciding-files.ts'
import type { ProjectFolder } from './project-folder.ts'
import { interpreters, startedPrograms } from './script-programs.ts'

/** A program inside the project. The command names it without a folder, so it is found by PATH. */
export interface OwnProgram {
  name: string
  path: string
  inEnvironment: boolean
  item: Trustable
}

interface ProgramPlace {
  host: Host
  root: string
  folder: string
}

/**
 * Returns the programs inside the project that would run for a command: the first word of the command, programs that
 * its build tools need (npm needs node), and programs that its scripts start.
 */
export const ownPrograms = (
  place: ProgramPlace,
  project: ProjectFolder,
  command: CommandText,
): OwnProgram[] => {
  const { host, root, folder } = place
  const { first, needed, started } = programsOf(project, command)
  const isInside = (path: string) => isInFolders(host, path, [root, folder])
  // If no folder on PATH is inside the project, programs are normally found outside the project. In that case, look up
  // only the first word of the command, because it could be a link into the project.
  const onPath = (host.env['PATH'] ?? '').split(':').map((each) => resolvePath(folder, each || '.'))
  const others = onPath.some((each) => isInside(`${each}/x`)) ? [...needed, ...started] : []
  return [...new Set([first, ...others])].flatMap((name) => {
    if (name.includes('/')) return []
    const path = which(host, name, folder)
    if (path === undefined || !isInside(path)) return []
    const environment = isInEnvironment(host, path)
    // In an environment such as `.venv`, check only the first word of the command, the programs that its build tools
    // need, and interpreters. All other programs belong to installed packages, which are not pinned.
    const isChecked = name === first || needed.includes(name) || interpreters.includes(name)
    if (environment && !isChecked) return []
    return [{ name, path, inEnvironment: environment, item: programItem(place, path) }]
  })
}

/**
 * Returns the programs of a command that are installed in an environment of the project, such as `.venv`. Includes
 * environments that are not active now: once active, the command uses their programs.
 */
export const environmentItems = (
  place: ProgramPlace,
  project: ProjectFolder,
  command: CommandText,
): Trustable[] => {
  const { first, needed, started } = programsOf(project, command)
  const names = [first, ...needed, ...started.filter((name) => interpreters.includes(name))]
  const active = (place.host.env['PATH'] ?? '').split(':').filter((each) => isBelow(place.root, each))
  const usual = ['.venv/bin', 'venv/bin', 'node_modules/.bin']
  const folders = new Set([...usual.map((each) => `${place.folder}/${each}`), ...active])
  return [...folders].flatMap((bin) =>
    [...new Set(names)]
      .map((name) => `${bin}/${name}`)
      .filter((path) => place.host.files.kind(path) === 'file' && isInEnvironment(place.host, path))
      .map((path) => programItem(place, path)),
  )
}

const programsOf = (project: ProjectFolder, command: CommandText) => {
  const { words, pieces } = command
  const first = words[0]!
  const needed = toolsIn(command).flatMap((name) => buildTools[name]!.needs ?? [])
  const lines = [words.join(' '), ...pieces.values()].flatMap(startedPrograms)
  const started = [...lines.map(([program]) => program!), ...lines.flatMap(scriptInterpreter(project)), 'sh']
  return { first, needed, started }
}

/** Returns the interpreter of a script in the project. For the first line `#!/usr/bin/env node`, returns `node`. */
const scriptInterpreter =
  (project: ProjectFolder) =>
  ([program = '']: string[]): string[] => {
    const line = program.includes('/')
      ? project.read(program.replace(/^\.\//, ''))?.split('\n', 1)[0]
      : undefined
    const [path = '', name] = /^#!\s*(\S+)\s*(\S+)?/.exec(line ?? '')?.slice(1) ?? []
    return programName(path) === 'env' && name ? [name] : []
  }

const isInEnvironment = ({ files }: Host, path: string): boolean => {
  const bin = path.slice(0, path.lastIndexOf('/'))
  return (
    bin.endsWith('/node_modules/.bin') ||
    files.kind(`${bin.slice(0, bin.lastIndexOf('/'))}/pyvenv.cfg`) === 'file'
  )
}

/**
 * Returns the item of a program. If the program is a link, the hash covers the file to which the link leads. The hash
 * also covers the settings of the program's environment, but not the packages installed there.
 */
const programItem = ({ host, root, folder }: ProgramPlace, path: string): Trustable => {
  const { files } = host
  const base = isBelow(folder, path) ? folder : root
  const within = (target: string) => (isBelow(base, target) ? target.slice(base.length + 1) : target)
  const name = within(path)
  const target = files.realPath(path)
  const settings = files.read(`${path.slice(0, path.lastIndexOf('/bin/'))}/pyvenv.cfg`) ?? ''
  const decisive = settings
    .split('\n')
    .filter((line) => /^(?:home|include-system-site-packages)\s*=/.test(line))
  // Only the content of a program inside the project is hashed, because an agent could replace that program. A program
  // outside the project belongs to the user.
  const content = isBelow(root, target) || isBelow(folder, target) ? contentAt(target)?.sha256 : undefined
  return {
    kind: 'command',
    name: `program ${name}`,
    what: `${name} → ${within(target)}`,
    sha256: sha256(JSON.stringify([name, within(target), content ?? '', decisive])),
    remembered: true,
  }
}
