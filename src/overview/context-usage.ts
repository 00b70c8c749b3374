import type { Files } from '../host/host.ts'
import {
  fillUsageFile,
  openUsageFile,
  type PrintedTokens,
  type UsageFile,
} from '../store/sqlite/usage-file.ts'

/** How many tokens of CLEO's output an orchestrator may read in one session (ORC-005). */
export const budget = 10_000
const warningAt = 0.7
const criticalAt = 0.9

type ContextState = 'ok' | 'warning' | 'critical'
interface ContextUsage {
  used: number
  state: ContextState
  /** The most expensive operation first. */
  byCommand: PrintedTokens[]
}

const stateOf = (used: number): ContextState =>
  used >= budget * criticalAt ? 'critical' : used >= budget * warningAt ? 'warning' : 'ok'

/** Returns the path of the file that counts a session's output; undefined for an id that is unsafe as a file name. */
export const contextUsagePath = (folder: string, session: string): string | undefined =>
  isSessionId(session) ? `${folder}/context/${session}.db` : undefined

const isSessionId = (id: string): boolean => {
  if (!id.startsWith('ses_') || id.length < 8 || id.length > 36) return false
  for (const char of id.slice(4))
    if (!((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9'))) return false
  return true
}

/** Opens the file that counts a session's output. The first command of the session makes this file. */
export const openContextUsage = (files: Files, path: string): UsageFile => {
  if (files.sizeSeen(path) === 0) {
    files.makeFolder(path.slice(0, path.lastIndexOf('/')), 0o700)
    files.writeNew(path, '', 0o600)
    fillUsageFile(path)
  }
  return openUsageFile(path)
}

/** Adds up the tokens that a session has printed. */
export const readContextUsage = (files: Files, path: string): ContextUsage => {
  if (files.sizeSeen(path) === 0) return usageOf([])
  const file = openUsageFile(path)
  try {
    return usageOf(file.all())
  } finally {
    file.close()
  }
}

export const usageOf = (printed: readonly PrintedTokens[]): ContextUsage => {
  let used = 0
  for (const { tokens } of printed) used += tokens
  const byCommand = printed.toSorted((a, b) => b.tokens - a.tokens || (a.operation < b.operation ? -1 : 1))
  return { used, state: stateOf(used), byCommand }
}
