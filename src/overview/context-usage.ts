import type { Files } from '../host/host.ts'

/** How many tokens of CLEO's output an orchestrator may read in one session (ORC-005). */
export const budget = 10_000
const warningAt = 0.7
const criticalAt = 0.9

type ContextState = 'ok' | 'warning' | 'critical'
interface ContextUsage {
  used: number
  state: ContextState
  /** The most expensive operation first. */
  byCommand: { operation: string; calls: number; tokens: number }[]
}

const stateOf = (used: number): ContextState =>
  used >= budget * criticalAt ? 'critical' : used >= budget * warningAt ? 'warning' : 'ok'

/** Returns the file that records a session's output; undefined for an id that is unsafe as a file name. */
export const contextUsageFile = (folder: string, session: string): string | undefined =>
  isSessionId(session) ? `${folder}/context/${session}` : undefined

const isSessionId = (id: string): boolean => {
  if (!id.startsWith('ses_') || id.length < 8 || id.length > 36) return false
  for (const char of id.slice(4))
    if (!((char >= 'a' && char <= 'z') || (char >= '0' && char <= '9'))) return false
  return true
}

export const usageLine = (op: string, tokens: number): string => `${op} ${tokens}\n`

/** Adds up the tokens that a session has printed. Skips invalid lines, which a killed command may leave. */
export const readContextUsage = async (files: Files, path: string): Promise<ContextUsage> => {
  const costs = new Map<string, { calls: number; tokens: number }>()
  let used = 0
  const text = files.kind(path) === 'file' ? await files.load(path) : undefined
  for (const line of (text ?? '').split('\n')) {
    const at = line.indexOf(' ')
    const tokens = Number(line.slice(at + 1))
    if (at < 1 || at > 64 || !Number.isSafeInteger(tokens) || tokens < 0) continue
    const op = line.slice(0, at)
    const { calls, tokens: before } = costs.get(op) ?? { calls: 0, tokens: 0 }
    costs.set(op, { calls: calls + 1, tokens: before + tokens })
    used += tokens
  }
  const byCommand = [...costs].map(([operation, cost]) => ({ operation, ...cost }))
  byCommand.sort((a, b) => b.tokens - a.tokens || (a.operation < b.operation ? -1 : 1))
  return { used, state: stateOf(used), byCommand }
}
