import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Makes a new folder for temporary files. CLEO does not remove it. */
export const makeTemporaryFolder = (prefix: string): string =>
  mkdtempSync(join(realpathSync(tmpdir()), prefix))
