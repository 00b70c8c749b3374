import { configLock } from './config-file.ts'

/** The text of `.cleo/.gitignore`. */
export const ignored = '# Everything here is local except the configuration.\n*\n!.gitignore\n!config.json\n'

/** What a clone may have in `.cleo/`. */
export const sharedNames: readonly string[] = ['config.json', configLock, '.gitignore']

/** Begins the names of folders in `.cleo/` that hold what came with a clone. */
export const asidePrefix = 'aside-'
