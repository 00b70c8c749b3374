import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Waits for all of `works`, then returns their results or throws the first failure. After a failure, `Promise.all`
 * alone would not wait for the other works. They would then write to a folder that the test is removing.
 */
export const together = async <T>(works: readonly Promise<T>[]): Promise<T[]> => {
  const all = Promise.all(works)
  await Promise.allSettled(works)
  return all
}

/**
 * Runs `work` with a new folder and removes the folder afterwards. If `work` fails, throws its error even if the folder
 * cannot be removed, for example because processes that it started still write there.
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
      // Throw the error of `work`, which is more important than the failure to remove the folder.
    }
    throw error
  }
  remove()
  return result
}
