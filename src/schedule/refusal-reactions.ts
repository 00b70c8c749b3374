/** What a run does about a refusal. Only the code of the refusal decides, not its text or an exit status. */

/**
 * Refusals that say that the disk or the store cannot be written. Every agent would get such a refusal, so the run
 * starts no further agents.
 */
const noDisk = {
  'worktree.space': 'fleet',
  'file.unwritable': 'fleet',
  'store.full': 'fleet',
  'store.quota': 'fleet',
  'store.readonly': 'fleet',
  'store.disk_readonly': 'fleet',
} as const

/**
 * What the run does if a spawn is refused. `taken`: another orchestrator or a person has the task. `stale`: the task
 * changed since it was read. `fleet`: no agent can be started now, so the run starts no more. `person`: trying again
 * does not help, so a person is asked.
 */
type SpawnReaction = 'taken' | 'stale' | 'fleet' | 'person'

const spawnReactions: Readonly<Record<string, SpawnReaction>> = {
  'claim.held': 'taken',
  'spawn.out': 'taken',
  'spawn.reserved': 'taken',
  'task.changed': 'stale',
  'task.not_found': 'stale',
  'spawn.closed': 'stale',
  'spawn.parts': 'stale',
  'dependency.open': 'stale',
  ...noDisk,
}

export const afterRefusedSpawn = (code: string): SpawnReaction => spawnReactions[code] ?? 'person'

/**
 * What the run does if `receive` refuses work. `again`: an agent is told what was wrong and tries again. `merged back`:
 * a new attempt starts from the merged work of other tasks. `gone`: nothing is left to do.
 */
type ReceiveReaction = 'again' | 'merged back' | 'gone' | 'fleet' | 'person'

const receiveReactions: Readonly<Record<string, ReceiveReaction>> = {
  'return.invalid': 'again',
  'manifest.missing': 'again',
  'output.missing': 'again',
  'focus.unset': 'again',
  'vote.missing': 'again',
  'rule.broken': 'again',
  'evidence.missing': 'again',
  'evidence.stale': 'again',
  'gate.unmet': 'again',
  'merge.conflict': 'merged back',
  'merge.red': 'merged back',
  'spawn.closed': 'gone',
  'task.status': 'gone',
  'task.not_found': 'gone',
  'spawn.none': 'gone',
  'spawn.received': 'gone',
  'spawn.superseded': 'gone',
  'claim.lost': 'gone',
  ...noDisk,
}

export const afterRefusedReceive = (code: string): ReceiveReaction => receiveReactions[code] ?? 'person'
