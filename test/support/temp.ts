import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Waits for all of `works`, then returns their results or throws the failure that came first. `Promise.all` would not wait
 * for the others: they would go on writing while their folder is removed.
 */
export const together = async <T>(works: readonly Promise<T>[]): Promise<T[]> => {
  const all = Promise.all(works)
  await Promise.allSettled(works)
  return all
}

/**
 * Runs `work` with a new folder and removes the folder afterwards. If `work` fails, its error is thrown even if the folder
 * cannot be removed, because processes that it started still write there.
 */
export const withTemp = async <T>(work: (folder: string) => T | Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-test-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  let result: T
  try {
    result = await work(folder)
  } catch (error) {
    try {
      remove()
    } catch {
      // The error of `work` is the one to know.
    }
    throw error
  }
  remove()
  return result
}
