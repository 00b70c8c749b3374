import type { Progress } from '../kernel/progress.ts'
import type { World } from './context.ts'

type Report = (now?: Pick<Progress, 'line' | 'count' | 'total'>) => Promise<void> | void

/** Returns a function that reports on one piece of work; undefined if the caller shows no progress. */
export const reporting = (
  { host, progress }: Pick<World, 'host' | 'progress'>,
  what: string,
): Report | undefined => {
  if (!progress) return undefined
  const began = host.now()
  return (now = {}) => progress({ what, elapsedMs: host.now() - began, ...now })
}
