import type { Host } from '../host/host.ts'
import { configLock } from './config-file.ts'

/**
 * The text of `.cleo/.gitignore`. Beside a database it ignores itself too: git would remove a tracked file when another
 * branch is checked out, and the database would no longer be ignored. A clone of a project in PostgreSQL needs no `init`
 * that would write it, so there git tracks it.
 */
export const ignoreText = (store: 'sqlite' | 'postgres'): string =>
  `# Everything here is local except the configuration.\n*\n${store === 'sqlite' ? '' : '!.gitignore\n'}!config.json\n`

/** Writes `.cleo/.gitignore`. One that came with a clone is kept only if it ends with the same rules: the last ones count. */
export const writeIgnoreFile = ({ files }: Host, folder: string, store: 'sqlite' | 'postgres'): void => {
  const path = `${folder}/.gitignore`
  if (files.writeNew(path, ignoreText(store), 0o644)) return
  const text = (files.kind(path) === 'file' ? files.read(path) : undefined)?.replaceAll('\r', '') ?? ''
  const isOwn = /(?:^|\n)\*\n(?:!\.gitignore\n)?!config\.json\n*$/.test(text)
  if (!isOwn) files.replace(path, ignoreText(store), 0o644)
}

/** The names that a clone may have in `.cleo/`. */
export const sharedNames: readonly string[] = ['config.json', configLock, '.gitignore']

/** The beginning of the names of folders in `.cleo/` that hold files of a clone. */
export const asidePrefix = 'aside-'

/** True if the folder is more than a fresh clone. An empty database must not replace lost data. */
export const hasHistory = ({ files }: Host, folder: string): boolean =>
  files.list(folder).some((name) => !sharedNames.includes(name) && !name.startsWith(asidePrefix))
