import { configLock } from './config-file.ts'

/** The text of `.cleo/.gitignore`. */
export const ignored = '# Everything here is local except the configuration.\n*\n!.gitignore\n!config.json\n'

/** The names that a clone may have in `.cleo/`. */
export const sharedNames: readonly string[] = ['config.json', configLock, '.gitignore']

/** The beginning of the names of folders in `.cleo/` that hold files of a clone. */
export const asidePrefix = 'aside-'
