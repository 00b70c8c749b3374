import type { Actor } from '../kernel/actor.ts'
import type { Config } from '../kernel/config.ts'
import { type Fault, fail } from '../kernel/result.ts'
import { closed } from '../kernel/task.ts'
import { iso } from '../kernel/time.ts'
import type { Gathered } from './gather.ts'

export const checklistCodes = [
  'spawn.closed',
  'spawn.parts',
  'dependency.open',
  'spawn.undescribed',
  'spawn.untraced',
  'spawn.files',
] as const

/** What is wrong with the task itself, in the order that decides the exit. */
export const taskFaults = (task: Gathered, config: Config): Fault<(typeof checklistCodes)[number]>[] => {
  const { row, root, files, openNeeds, openParts } = task
  const { id, status } = row
  const most = config.spawn?.maxFiles ?? 3
  const faults = [
    (closed(status) || status === 'blocked') && fail('spawn.closed', { id, status }),
    openParts.length > 0 && fail('spawn.parts', { id, open: openParts }),
    openNeeds.length > 0 && fail('dependency.open', { id, on: openNeeds }),
    row.description.trim() === '' && fail('spawn.undescribed', { id }),
    root.type !== 'epic' && fail('spawn.untraced', { id, root: root.id }),
    files.length > most && fail('spawn.files', { id, count: files.length, most }),
  ]
  return faults.flatMap((failure) => (failure ? [{ path: 'id', failure }] : []))
}

/** Who may be replaced: anybody, nobody, or the one who is named. */
export type Replaceable = boolean | string

/** Somebody else is at work on it, and nobody said that they are to be replaced. */
export const claimFault = (
  { claim, now }: Pick<Gathered, 'claim' | 'now'>,
  actor: Actor,
  replace: Replaceable,
): Fault<'claim.held'>[] => {
  const own = claim?.owner === actor.id && !actor.agent
  if (!claim || replace === true || replace === claim.owner || own || claim.expires_at <= now) return []
  const { task, owner, expires_at } = claim
  return [{ path: 'id', failure: fail('claim.held', { id: task, owner, expires: iso(expires_at) }) }]
}
