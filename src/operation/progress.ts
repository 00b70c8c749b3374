import type { Progress } from '../kernel/progress.ts'
import type { World } from './context.ts'

type Report = (now?: Pick<Progress, 'line' | 'count' | 'total'>) => Promise<void> | void

export const reporting = (
  { host, progress }: Pick<World, 'host' | 'progress'>,
  what: string,
): Report | undefined => {
  if (!progress) return undefined
  const began = host.now()
  return (now = {}) => progress({ what, elapsedMs: host.now() - began, ...now })
}
