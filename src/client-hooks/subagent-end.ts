import type { Host } from '../host/host.ts'
import { removeFile } from '../host/permissions.ts'
import { openFor } from './given-prompts.ts'
import type { HookAnswer } from './hook-answer.ts'
import type { HookEvent } from './hook-event.ts'
import { stopGateOfOne } from './stop-gate.ts'

/**
 * Decides whether a subagent of Gemini may end. Gemini does not say which of the session's subagents wants to end. So
 * CLEO lets the subagent end if any spawn of the session is finished. CLEO then removes the record of that spawn, so
 * that the spawn lets only one subagent end. If no spawn is finished, the refusal says what each spawn still needs.
 */
export const atSubagentEnd = async (
  host: Host,
  root: string,
  event: HookEvent,
): Promise<HookAnswer | undefined> => {
  const open = await openFor(host, root, event)
  const spawns = open.flatMap(({ spawn }) => spawn ?? [])
  // If a subagent of the session has no spawn, it could be the one that wants to end. So allow the end.
  if (spawns.length === 0 || spawns.length < open.length) return undefined
  const result = event.input['result']
  const { transcript: _ofTheSession, ...call } = event
  const stop: HookEvent = {
    ...call,
    kind: 'subagent stop',
    ...(typeof result === 'string' && { message: result }),
  }
  const { free, answer } = await stopGateOfOne(host, spawns, stop)
  for (const { spawn, path } of open) if (spawn === free) removeFile(path)
  return answer
}
