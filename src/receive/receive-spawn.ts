import * as returns from '../claims/sql/returns.ts'
import { summaryOf } from '../claims/sql/spawn-agents.ts'
import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { Refused, type Result } from '../kernel/result.ts'
import { readReply } from '../kernel/return-line.ts'
import { ingest } from '../manifest/ingest.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { runByAgent } from '../project/people.ts'
import type { TaskRow } from '../store/rows.ts'
import { type acceptCodes, acceptResult, closedTask } from './accept-result.ts'
import { breachFor } from './breach.ts'
import { lineFault, lineRecord, missingEntry, submittedEntry, wordsOf } from './check-return.ts'
import type { ReceiveAnswer } from './receive-answer.ts'

export interface Received {
  task: TaskRow
  spawn: SpawnRow
  /** The reply of the subagent; without it the submitted work alone decides. */
  message?: string
  followUps: boolean
  release: boolean
  replaced: boolean
  mergeLater?: boolean
}

type ReceiveCode = (typeof acceptCodes)[number]

/** Receives the work of one spawn. What it submitted decides; its reply is compared with that and can only warn. */
export const receiveSpawn = async (
  context: Context,
  { message, ...received }: Received,
): Promise<Result<ReceiveAnswer, ReceiveCode>> => {
  const { task, spawn } = received
  if (task.status === 'cancelled') return closedTask(task)
  const options = optionsOf(spawn)
  if (options?.tree && task.merge !== 'merged') {
    const { restoreWorktree } = await import('../worktrees/restore.ts')
    await restoreWorktree(context, spawn)
  }
  const work = await workFolder(context, options)
  const { warnings } = await ingest(context, work === context.root ? [] : [work])
  const reply = message === undefined ? undefined : readReply(message, wordsOf(task, spawn))
  const entry = await submittedEntry(context, spawn.id)
  const fault = lineFault({ reply, message }, entry)
  if (!entry && reply?.need && task.status !== 'done') {
    const { acceptNeed } = await import('./accept-need.ts')
    return acceptNeed(context, task, spawn, reply.need)
  }
  const missing = entry ? undefined : await missingEntry(context, { task, spawn, reply, fault })
  const result = entry
    ? await acceptResult(context, { mergeLater: false, ...received, entry, reply, fault })
    : missing!.failure
  const breach = result.ok ? undefined : breachFor(result, missing?.unread)
  // Another agent's refused attempt to receive must not count as a return: the task could be given to someone else.
  const isOrchestrator = context.actor.id === spawn.actor || !runByAgent(context.host, context.actor)
  // `--all` also meets agents that are still at work: they have an entry, but have not returned.
  if (breach !== undefined && isOrchestrator && !received.mergeLater)
    await recordBreach(context, spawn, { breach, ...lineRecord(reply, fault) })
  const { released } = summaryOf(spawn)
  if (released !== undefined && !result.ok)
    warnings.push(`${spawn.id} stopped unfinished, after its hook had sent it back: ${released}`)
  return warnings.length > 0 ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] } : result
}

/** Records the refusal for the next attempt. Changes nothing else: a superseded subagent may have sent the line. */
const recordBreach = async (
  context: Context,
  { id, task }: SpawnRow,
  { breach, ...line }: { breach: string; line?: string },
): Promise<void> => {
  try {
    await context.write(async (tx) => {
      const receipt = { spawn: id, breach }
      await returns.add(tx.db, receipt, { task, at: tx.now, actor: tx.actor.id })
      await tx.record({ task, after: { ...receipt, ...line } })
      return { ok: true, value: undefined }
    })
  } catch (error) {
    // Return the first refusal, which the caller needs, rather than the failure to record it.
    if (!(error instanceof Refused)) throw error
  }
}
