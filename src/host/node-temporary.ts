import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a new folder for temporary files, which nobody removes. */
export const makeTemporaryFolder = (prefix: string): string =>
  mkdtempSync(join(realpathSync(tmpdir()), prefix))
