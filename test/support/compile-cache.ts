import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** The name of the folder in which a copy of the sources finds its cache. All copies share one cache. */
export const cacheOfCopy = '.compiled'

const own = join(import.meta.dirname, '..', '..', cacheOfCopy)

/**
 * Variables for processes that tests start. With them, a process uses code that Node compiled before. Processes
 * that are killed add nothing to the cache, so without a filled cache each of them would compile all sources. This
 * takes four times as long as the rest of its start.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: existsSync(own) ? own : process.env['TEST_COMPILE_CACHE'],
  // With this setting, Node names a module by its path relative to the cache, so that copies of the sources can
  // share a cache.
  NODE_COMPILE_CACHE_PORTABLE: '1',
}

/** Fills a cache with all operations of the sources below `root`. */
export const compileSources = (root: string, cache: string): void => {
  const script = `
    import { load } from './src/perform/generated/load.ts'
    import { allCommands } from './src/operation/commands.ts'
    import './src/index.ts'
    for (const { operation } of allCommands()) await load(operation)
  `
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { PATH: process.env['PATH'], ...compileCache, NODE_COMPILE_CACHE: cache },
  })
}
