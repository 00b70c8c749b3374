import { DatabaseSync } from 'node:sqlite'
import { explain, isBusy } from './errors.ts'

const lockMs = 15_000
const pauseMs = 25

/**
 * The options for a lock that can be held for minutes. With them, `withFileLock` waits without limit and calls
 * `heard` about every second.
 */
interface LongWait {
  heard(): Promise<void> | void
}

/**
 * Runs `work` while no other process holds the lock at this path. SQLite locks a file for this, so the operating system
 * releases the lock when the process dies. Waits at most 15 seconds for the lock, and then refuses. If `long` is set,
 * waits without limit.
 */
export const withFileLock = async <T>(
  path: string,
  work: () => T | Promise<T>,
  long?: LongWait,
): Promise<T> => {
  let lock: DatabaseSync | undefined
  try {
    try {
      lock = new DatabaseSync(path)
      for (let waited = 0; !tryLock(lock, !long && waited >= lockMs); waited += pauseMs) {
        if (long && waited % 1000 === 0) await long.heard()
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    } catch (error) {
      throw explain(error, path)
    }
    return await work()
  } finally {
    lock?.close()
  }
}

export const tryFileLock = async (path: string, work: () => void | Promise<void>): Promise<void> => {
  const lock = new DatabaseSync(path, { timeout: 0 })
  try {
    if (tryLock(lock, false)) await work()
  } catch (error) {
    throw explain(error, path)
  } finally {
    lock.close()
  }
}

const tryLock = (lock: DatabaseSync, last: boolean): boolean => {
  try {
    lock.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (last || !isBusy(error)) throw error
    return false
  }
}
