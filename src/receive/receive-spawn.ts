import * as returns from '../claims/sql/returns.ts'
import { summaryOf } from '../claims/sql/spawn-agents.ts'
import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import type { Permission } from '../completion/permission.ts'
import { type Failure, Refused, type Result } from '../kernel/result.ts'
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
  /** The reply of the subagent. Without it, only the submitted work is checked. */
  message?: string
  followUps: boolean
  release: boolean
  replaced: boolean
  mergeLater?: boolean
  noMerge?: boolean
  /**
   * True if the caller does not know whether the agent has stopped. In this case a refusal is not recorded as the
   * agent's return, because the agent may still be working.
   */
  mayStillWork?: boolean
}

type ReceiveCode = (typeof acceptCodes)[number] | 'evidence.invalid'

/**
 * The submitted entry decides whether the task is completed or blocked. A reply that differs from the entry causes only
 * a warning.
 */
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
  const isLeft = entry && spawn.submitted_at !== null && task.status === 'active' && !received.replaced
  const proved = isLeft ? await proveSubmitted(context, task, spawn) : {}
  if (proved.untrusted) return proved.untrusted
  const missing = entry ? undefined : await missingEntry(context, { task, spawn, reply, fault })
  const result = entry
    ? await acceptResult(context, {
        ...{ mergeLater: false, noMerge: false, ...received, entry, reply, fault },
        ...(proved.permission && { known: proved.permission }),
      })
    : missing!.failure
  const breach = result.ok ? undefined : breachFor(result, missing?.unread)
  // Record the refusal only if the caller is the orchestrator or a person. A recorded refusal lets the task be
  // spawned again, and other agents must not cause that.
  const isOrchestrator = context.actor.id === spawn.actor || !runByAgent(context.host, context.actor)
  if (breach !== undefined && isOrchestrator && !received.mayStillWork)
    await recordBreach(context, spawn, { breach, ...lineRecord(reply, fault) })
  const { released } = summaryOf(spawn)
  if (released !== undefined && !result.ok)
    warnings.push(
      `the agent of ${spawn.id} stopped, although a hook had named missing requirements: ${released}`,
    )
  return warnings.length > 0 ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] } : result
}

interface ProvedWork {
  /**
   * Set if a command cannot run until a person trusts it. `receiveSpawn` returns this refusal without recording a
   * breach, because another attempt at the work would not help.
   */
  untrusted?: Failure<'evidence.invalid'>
  /**
   * Whether the task may be completed. Undefined if tools ran: tools can change files, so the caller has to check the
   * contract again.
   */
  permission?: Permission
}

/**
 * Proves the gates that need the project's checks, because in a run the agent does not run these checks. A gate that
 * cannot be proved is recorded as failed, and completing the task is refused later.
 */
const proveSubmitted = async (context: Context, task: TaskRow, spawn: SpawnRow): Promise<ProvedWork> => {
  const { proveTask } = await import('../standing/prove-task.ts')
  const { standingOf } = await import('../standing/standing.ts')
  const standing = await standingOf(context, task.id)
  const retry = `cleo receive ${task.id}`
  const { proofs, ranTools, stopped } = await proveTask(context, {
    ...{ task, spawn, standing, criteria: [], retry, reasonLine: retry },
  })
  const failures = proofs.flatMap(({ failure }) => (failure?.code === 'evidence.invalid' ? [failure] : []))
  const untrusted = failures.find(({ problems }) => problems?.some(({ fix }) => fix === 'cleo trust'))
  if (untrusted) return { untrusted: { ...untrusted, code: 'evidence.invalid' } }
  if (ranTools || stopped) return {}
  const { permissionFrom } = await import('../completion/permission.ts')
  const now =
    proofs.length === 0
      ? standing
      : await standingOf(context, task.id, { recheck: false, stale: standing.stale })
  return { permission: await permissionFrom(context, now) }
}

/**
 * Records the refusal for the next attempt. Changes nothing else, because the reply could come from a superseded
 * subagent.
 */
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
    // Ignore that the breach could not be recorded: the caller gets the refusal of the work, which matters more.
    if (!(error instanceof Refused)) throw error
  }
}
