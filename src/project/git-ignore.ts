import type { Host } from '../host/host.ts'
import { configLock } from './config-file.ts'

/**
 * Returns the text of `.cleo/.gitignore`. With a SQLite database, the file also lists itself, so that git does not
 * track it. A checkout of another branch could remove a tracked file, and then git would no longer ignore the database.
 * With PostgreSQL, git tracks the file, so that a clone has it without running `cleo init`.
 */
export const ignoreText = (store: 'sqlite' | 'postgres'): string =>
  `# Everything here is local except the configuration.\n*\n${store === 'sqlite' ? '' : '!.gitignore\n'}!config.json\n`

/**
 * Writes `.cleo/.gitignore`. If the file exists and does not end with CLEO's rules, replaces it. CLEO's rules must
 * come last, because git applies the last rule that matches.
 */
export const writeIgnoreFile = ({ files }: Host, folder: string, store: 'sqlite' | 'postgres'): void => {
  const path = `${folder}/.gitignore`
  if (files.writeNew(path, ignoreText(store), 0o644)) return
  const text = (files.kind(path) === 'file' ? files.read(path) : undefined)?.replaceAll('\r', '') ?? ''
  const isOwn = /(?:^|\n)\*\n(?:!\.gitignore\n)?!config\.json\n*$/.test(text)
  if (!isOwn) files.replace(path, ignoreText(store), 0o644)
}

/** The names in `.cleo/` that may come with a clone. */
export const sharedNames: readonly string[] = ['config.json', configLock, '.gitignore']

/** The beginning of the names of the folders that `moveAside` makes in `.cleo/`. */
export const asidePrefix = 'aside-'

/**
 * Whether the folder contains more than a fresh clone does. If such a folder has no database, the database was
 * probably lost, so no command may create an empty one.
 */
export const hasHistory = ({ files }: Host, folder: string): boolean =>
  files.list(folder).some((name) => !sharedNames.includes(name) && !name.startsWith(asidePrefix))
