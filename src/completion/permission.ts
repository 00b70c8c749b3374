import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import type { RulesAtCompletion } from '../compliance/rules-at-completion.ts'
import { beforeText } from '../evidence/observed-atom.ts'
import * as evidence from '../evidence/sql.ts'
import { type Failure, fail } from '../kernel/result.ts'
import { ingest } from '../manifest/ingest.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { gateRemarks } from '../standing/gate-remarks.ts'
import type { GateStanding } from '../standing/gate-standing.ts'
import { type ContractCode, isMet, openCriterion, requirementsOf } from '../standing/missing-requirements.ts'
import { type Standing, standingOf } from '../standing/standing.ts'
import type { StartedGit } from '../standing/start-git.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import { isContainer, type Permit } from '../tasks/transition.ts'

export type Permission =
  | { may: true; permit: Permit; warnings: string[] }
  | { may: false; failure: Failure<ContractCode> }

/**
 * Ingests newly submitted manifest entries, then checks the contract of a task. Checks the work of the latest spawn. If
 * `attempt` is given, checks the work of that spawn instead. `closing` is true for a parent whose last child is about
 * to be done. `started` holds git processes that the caller started early for this check.
 */
export const permissionFor = async (
  context: Context,
  id: string,
  { attempt, closing, started }: { attempt?: string; closing?: boolean; started?: StartedGit } = {},
): Promise<Permission> => {
  const spawn = await spawns.latest(context.store, id)
  const worktree = optionsOf(spawn)?.worktree
  const { warnings } = await ingest(context, worktree ? [worktree] : [])
  const standing = await standingOf(context, id, {
    ...(attempt && { spawn: attempt }),
    closing,
    ...(started && { started }),
  })
  const permission = await permissionFrom(context, standing)
  return permission.may ? { ...permission, warnings: [...warnings, ...permission.warnings] } : permission
}

/** Call this right after reading the standing. */
export const permissionFrom = async (context: Context, standing: Standing): Promise<Permission> => {
  const permission = permissionBy(standing, await checkedRules(context, standing))
  if (!permission.may) return permission
  const remarks = await gateRemarks(context.store, standing.task)
  return { ...permission, warnings: [...permission.warnings, ...remarks] }
}

/** A blocked entry is not checked, because a task with a blocked entry cannot become done. */
export const checkedRules = async (context: Context, standing: Standing): Promise<RulesAtCompletion> => {
  if (!standing.spawn || !standing.entry || standing.entry.status === 'blocked') return noRules
  const { rulesAtCompletion } = await import('../compliance/rules-at-completion.ts')
  return rulesAtCompletion(context, standing)
}

const noRules: RulesAtCompletion = { broken: [], warnings: [] }

/** A refusal lists all missing requirements. The first of them decides the code of the refusal. */
export const permissionBy = (standing: Standing, { broken, warnings } = noRules): Permission => {
  const { missing, leftOpen, held } = requirementsOf(standing, broken)
  const [first] = missing
  const { task, entry } = standing
  if (first) {
    const problems = missing.map(({ path, message, fix, code }) => ({
      path,
      message,
      ...(fix && { fix }),
      code,
    }))
    return { may: false, failure: { ...fail(first.code, { id: task, problems }), held } }
  }
  const outcome = entry?.status === 'partial' ? 'partial' : 'complete'
  return {
    may: true,
    permit: { task, outcome, holds: (db, row) => isUnchanged(db, row, standing) },
    warnings: [
      ...leftOpen.map(({ path, message }) => `left open: ${path} (${message})`),
      ...(standing.under === 'nothing'
        ? standing.criteria.filter((each) => !isMet(each)).map(openCriterion)
        : []),
      ...pointsLeftOpen(standing),
      ...standing.gates.flatMap(failedBefore),
      ...doubtfulFiles(standing),
      ...warnings,
    ],
  }
}

/**
 * Warns about the follow-ups in the partial entry of a task that was never spawned. No tasks are made from these
 * follow-ups, because `receive` makes tasks only from the follow-ups of spawned tasks.
 */
const pointsLeftOpen = ({ spawn, entry }: Standing): string[] => {
  if (spawn || entry?.status !== 'partial') return []
  const points = [entry.body['needs_followup']].flat().filter((point) => typeof point === 'string')
  return points.map((point) => `left open: ${point}`)
}

/**
 * A gate is accepted with failing tests if the same tests failed before the spawn. Returns a warning for each gate that
 * was accepted in this way.
 */
const failedBefore = ({ gate, evidence = [] }: GateStanding): string[] =>
  evidence.flatMap((atom) =>
    atom.kind === 'tool' && atom.before ? [`${gate} passed${beforeText(atom)}`] : [],
  )

const doubtfulFiles = ({ doubtful = [], spawn }: Standing): string[] =>
  doubtful.length > 0
    ? [`not committed, and perhaps changed by ${spawn!.id}: ${doubtful.slice(0, 5).join(', ')}`]
    : []

const isUnchanged = async (
  db: Db,
  row: TaskRow,
  { spawn, entry, readFrom, splits }: Standing,
): Promise<boolean> => {
  // The criteria of a split task were not checked, so the permit is valid only as long as the task has open children.
  if (splits && !(await isContainer(db, row))) return false
  const last = (await spawns.lastAttempt(db, row.id))?.id
  if (last !== readFrom.lastSpawn || row.updated_at !== readFrom.updatedAt) return false
  const current = (await entries.deciding(db, row.id, spawn?.id))?.seq
  return current === entry?.seq && (await evidence.lastNumber(db, row.id)) === readFrom.evidence
}
