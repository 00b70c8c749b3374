import * as v from 'valibot'
import type { Config } from '../../kernel/config.ts'
import { ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { formatMinutes } from '../../kernel/time.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { Db } from '../../store/port.ts'
import { epicRoot, type ReadySet, type ReadyTask } from '../../tasks/ready-set.ts'
import { spawnFailure, spawnProblems, startCommand } from '../../tasks/spawn-problems.ts'
import * as search from '../../tasks/sql/search.ts'
import { toLine } from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { readyTasks } from '../../worktrees/ready-tasks.ts'
import { submittedWork } from '../submitted-work.ts'

export const next = operation({
  name: 'orchestrate.next',
  kind: 'query',
  tier: 1,
  summary: 'Show the task to start next, and why.',
  get input() {
    return v.strictObject({ epic: v.optional(describe(TaskId, 'only tasks of this epic')) })
  },
  output: () =>
    v.object({
      task: v.nullable(taskLine()),
      why: v.string(),
      then: v.optional(v.string()),
      /** The first task whose spawn is quiet. `cleo show` on this task says more. */
      quiet: v.optional(v.object({ id: v.string(), spawnId: v.string(), quietFor: v.number() })),
    }),
  errors: ['task.not_found', 'epic.expected'],
  tool: ['epic'],
  cli: { command: 'next', positional: ['epic'], examples: ['cleo next T001'] },
  human: ({ task, why, then, quiet }, style) => [
    task ? `${style.cyan(task.id)} ${style.bold(task.title)}  ${style.dim(why)}` : style.dim(why),
    ...(then ? [`  then: ${then}`] : []),
    ...(quiet
      ? [`  ${quiet.spawnId} has been quiet for ${formatMinutes(quiet.quietFor)}: cleo show ${quiet.id}`]
      : []),
  ],
  async run({ epic }, context) {
    const { store, session, config } = context
    const root = epic ?? session?.scope ?? undefined
    const refusal = await epicRoot(store, root)
    if (refusal) return refusal
    const found = await readyTasks(context, { root, limit: 1, skip: 0 })
    const task = found.chosen[0]
    const quiet = await quietSpawn(context, found)
    if (task) return ok({ task: toLine(task), ...(await nextStep(store, task, config)), ...quiet })
    return ok({ task: null, ...(await whyNone(context, root, found)), ...quiet })
  },
})

const quietSpawn = async (context: Context, found: ReadySet) => {
  if (found.out.length === 0) return {}
  const { firstQuiet } = await import('../out-list.ts')
  const line = await firstQuiet(context, found)
  return line && { quiet: { id: line.id, spawnId: line.spawnId, quietFor: line.quietFor! } }
}

const whyNone = async (
  context: Context,
  root: string | undefined,
  { waiting, out }: ReadySet,
): Promise<{ why: string; then?: string }> => {
  const { store } = context
  const {
    submitted: [submitted],
    kept,
  } = await submittedWork(context, root, 1)
  if (submitted)
    return { why: `${submitted} is submitted and not received`, then: `cleo receive ${submitted}` }
  const finished = await search.finishedParent(store, root)
  if (finished) return { why: `every subtask of ${finished.id} is closed`, then: finished.then }
  const refused = out.find(({ back_at }) => back_at !== null)
  if (refused)
    return {
      why: `no task is ready; the return of ${refused.spawn} was refused`,
      then: `cleo respawn ${refused.id} --ref`,
    }
  const unstarted = out.find(({ started_at }) => started_at === null)
  if (unstarted)
    return {
      why: `no task is ready; ${unstarted.spawn} is spawned but not started`,
      then: `cleo spawn show ${unstarted.spawn}`,
    }
  const { firstBlocked, outNames, whyNothingIsReady } = await import('../epic-state.ts')
  if (waiting[0]) return { why: `${waiting[0].id} is ready but ${waiting[0].why}${outNames(out)}` }
  const waitsForPerson = out.length === 0 && (await firstBlocked(store, root)).length > 0
  if (kept[0] && out.length === 0 && !waitsForPerson)
    return {
      why: `${kept[0]} is partial and not merged; to go on without it: cleo receive ${kept[0]} --release`,
    }
  const landable = out.length === 0 ? await search.unlanded(store, root) : undefined
  if (landable) return { why: `${landable} is done and merged`, then: `cleo land ${landable}` }
  const nothing = await whyNothingIsReady(store, root, out)
  return { ...nothing, ...(waitsForPerson && { then: 'cleo inbox' }) }
}

const nextStep = async (
  db: Db,
  task: ReadyTask,
  config: Config,
): Promise<{ why: string; then: string | undefined }> => {
  const { id, status, unblocks } = task
  const problems = spawnProblems(task, config)
  const why = [
    status === 'active' ? 'its claim expired' : 'ready',
    ...(unblocks > 0 ? [`unblocks ${unblocks}`] : []),
    ...problems.map(({ lacks }) => lacks),
  ]
  const [first] = problems
  // If an epic has no description and no tasks, it was just made. In that case, the next step is to add tasks, not to
  // spawn the epic.
  if (first?.code === 'spawn.undescribed' && id === task.root && task.rootType === 'epic')
    return { why: 'it has no tasks yet', then: `cleo add "…" --parent ${id}` }
  const then = first ? (await spawnFailure(db, task, first, config)).fix : await startCommand(db, id)
  return { why: why.join('; '), then }
}
