import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A copy of the sources has its cache here, shared with the other copies. */
export const cacheOfCopy = '.compiled'

const own = join(import.meta.dirname, '..', '..', cacheOfCopy)

/**
 * The variables with which a process that a test starts uses what Node compiled before. A process that is killed writes
 * nothing into the cache, so without it each of them would compile all sources, which takes four times as long as the
 * rest of its start.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: existsSync(own) ? own : process.env['TEST_COMPILE_CACHE'],
  // Node then names a module by its path from the cache, so that copies of the sources can share one.
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
