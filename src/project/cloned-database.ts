import { indexOf } from '../git/git-folder.ts'
import { topOfRepository } from '../git/repository.ts'
import { gitRunnerAt } from '../git/run-git.ts'
import type { Host } from '../host/host.ts'
import { modeOf, setMode } from '../host/permissions.ts'
import { Refused, refuse } from '../kernel/result.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { stamp } from '../store/sqlite/backup-names.ts'
import { asidePrefix, sharedNames } from './git-ignore.ts'

export interface ProjectPlace {
  host: Host
  root: string
  folder: string
}

/**
 * Refuses a database that git tracks, because it came with a clone. Accepts any other database, because the owner may
 * have moved or copied the project, or an older CLEO may have made the database. Makes the files of an accepted
 * database private.
 */
export const refuseCloned = async (place: ProjectPlace): Promise<void> => {
  const why = await whyCloned(place)
  if (why !== undefined) refuse('store.cloned', { path: databasePath(place.folder), why })
  makePrivate(place)
}

/** Files that CLEO creates in `.cleo/` for one machine. If git tracks one of them, a stranger may have written it. */
const ownNames = [
  ...['cleo.db', 'cleo.db-wal', 'cleo.db-shm', 'secret', 'spawns', 'cache', 'content'],
  ...['backups', 'context', 'test-runs', 'runs'],
]

/**
 * If the files beside the database seem to come from a repository, returns the reason, as the end of a sentence.
 * Otherwise returns undefined.
 */
export const whyCloned = async ({ host, root, folder }: ProjectPlace): Promise<string | undefined> => {
  if (host.files.kind(`${folder}/.git`)) return '.cleo is a git repository of its own'
  const top = topOfRepository(host, root)
  if (top === undefined) return undefined
  const tracked = await trackedNames({ host, root, folder }, top)
  const found = tracked.find((name) => ownNames.includes(name) || name.startsWith('project.'))
  return found && `git tracks .cleo/${found}`
}

/** If git does not work, searches git's index for the names. */
const trackedNames = async ({ host, root }: ProjectPlace, top: string): Promise<string[]> => {
  const text = await gitRunnerAt(host, root)?.run(['ls-files', '-z', '--', '.cleo'])
  if (text !== undefined) return text.split('\0').map((path) => path.slice('.cleo/'.length).split('/')[0]!)
  const index = await indexOf(host, top)
  const bytes = index === undefined ? undefined : host.files.read(index)
  const prefix = `${root.slice(top === '/' ? 1 : top.length + 1)}${root === top ? '' : '/'}`
  return ownNames.filter((name) =>
    ['\0', '/'].some((end) => bytes?.includes(`${prefix}.cleo/${name}${end}`) === true),
  )
}

/**
 * Moves everything except the files in `sharedNames` into a new folder in `.cleo/`. Returns the path of that folder in
 * the project.
 */
export const moveAside = ({ host, root, folder }: ProjectPlace): string => {
  const aside = `${folder}/${asidePrefix}${stamp(host.now())}-${host.randomId(4)}`
  const names = host.files
    .list(folder)
    .filter((name) => !sharedNames.includes(name) && !name.startsWith(asidePrefix))
  host.files.makeFolder(aside, 0o700)
  for (const name of names) host.files.move(`${folder}/${name}`, `${aside}/${name}`)
  return aside.slice(root.length + 1)
}

/** Makes the files private, because git and some archive programs create files that others can read. */
const makePrivate = ({ folder }: ProjectPlace): void => {
  for (const path of [folder, ...['', '-wal', '-shm'].map((part) => databasePath(folder) + part)]) {
    const mode = modeOf(path)
    if (mode === undefined || (mode & 0o077) === 0) continue
    try {
      setMode(path, mode & 0o700)
    } catch (error) {
      // Ignored, because the files may belong to another user, who decides about their modes.
      if (!(error instanceof Refused)) throw error
    }
  }
}
