import { type OwnProcess, processesOf, signalProcess } from '../host/node-own-processes.ts'

/**
 * The variable that identifies the processes of an agent. Every process that an agent starts inherits it, even one
 * that leaves the agent's process group and session.
 */
export const markerVariable = 'CLEO_RUN_MARKER'

/**
 * `sweep` searches for processes at most this many times. One search is not enough, because a process that is
 * being ended can still start another one.
 */
const mostRounds = 200
const roundMs = 50

/**
 * Ends the processes of this user that have the marker or are in the process group `group`, and all their descendants.
 * Waits until none of these processes is left, but at most about ten seconds. Returns how many were ended.
 */
export const sweep = async (marker: string, group?: number): Promise<number> => {
  const ended = new Set<string>()
  for (let round = 0; round < mostRounds; round++) {
    const found = processesOf({ variable: markerVariable, value: marker, group })
    if (found.length === 0) break
    for (const each of found) if (signalProcess(each, 'SIGKILL')) ended.add(nameOf(each))
    await new Promise((resolve) => setTimeout(resolve, roundMs))
  }
  return ended.size
}

const nameOf = ({ pid, startTime }: OwnProcess): string => `${pid} ${startTime}`
