import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives work a folder of its own and takes it away afterwards, however the work ends. */
export const withTemp = async <T>(work: (folder: string) => T | Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-test-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
