import type { Host } from '../host/host.ts'
import { isObject } from '../kernel/json-object.ts'
import type { AgentEnd, AgentFiles } from './agent.ts'

/** Reads how an agent ended; undefined if its watcher has not recorded it, or the file is damaged. */
export const readEnd = ({ files }: Host, { end }: AgentFiles): AgentEnd | undefined => {
  try {
    const value: unknown = JSON.parse(files.read(end) ?? '')
    return isObject(value) && typeof value['ending'] === 'string' ? (value as unknown as AgentEnd) : undefined
  } catch {
    return undefined
  }
}

/** The end of an agent whose watcher was killed, after what was left of it was ended. */
export const lostEnd = ({ now }: Host, leftBehind: number): AgentEnd => ({
  ending: 'watcher lost',
  reason: 'its watcher was killed',
  denied: [],
  bytes: 0,
  leftBehind,
  endedAt: now(),
})
