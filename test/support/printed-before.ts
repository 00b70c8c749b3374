import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { contextUsagePath } from '../../src/overview/context-usage.ts'
import { fillUsageFile, openUsageFile, type PrintedTokens } from '../../src/store/sqlite/usage-file.ts'

const pathOf = (root: string, session: string): string => contextUsagePath(`${root}/.cleo`, session)!

/** Counts answers as if the session had printed them. */
export const printedBefore = (
  root: string,
  session: string,
  answers: readonly [operation: string, tokens: number][],
): void => {
  const path = pathOf(root, session)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, '')
  fillUsageFile(path)
  const file = openUsageFile(path)
  for (const [operation, tokens] of answers) file.add(operation, tokens)
  file.close()
}

/** What a session has printed, by operation. */
export const printedIn = (root: string, session: string): PrintedTokens[] => {
  const path = pathOf(root, session)
  if (!existsSync(path)) return []
  const file = openUsageFile(path)
  try {
    return file.all()
  } finally {
    file.close()
  }
}
