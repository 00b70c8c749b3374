import * as v from 'valibot'
import { quietMinutes, quietSince } from '../../claims/quiet.ts'
import * as spawns from '../../claims/sql/spawns.ts'
import { diskUse } from '../../host/stat.ts'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { merges } from '../../kernel/task.ts'
import { formatMinutes, iso } from '../../kernel/time.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { brief } from '../../print/brief.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { commitsAhead, conditionOf, uncommittedIn } from '../condition.ts'
import { writerFor } from '../integration.ts'
import { formatBytes } from '../space.ts'
import type { WorktreeRow } from '../sql.ts'
import * as worktrees from '../sql.ts'

const shape = () =>
  v.object({
    worktrees: v.array(
      v.object({
        spawnId: v.string(),
        taskId: v.string(),
        title: v.string(),
        folder: v.string(),
        /** Missing for a spawn that changes no code, because HEAD of its worktree is detached. */
        branch: v.optional(v.string()),
        condition: v.picklist(['there', 'missing', 'emptied', 'unlinked']),
        /** The number of commits on the branch that were not on the integration branch when the worktree was made. */
        ahead: v.number(),
        /** The number of files that are in no commit. */
        uncommitted: v.number(),
        merge: v.picklist(merges),
        bytes: v.number(),
        since: v.string(),
        /** How many minutes the spawn has been quiet. */
        quietFor: v.optional(v.number()),
      }),
    ),
    /** The integration branches of epics. */
    branches: v.array(
      v.object({ epic: v.string(), branch: v.string(), onto: v.optional(v.string()), tip: v.string() }),
    ),
    bytes: v.number(),
  })
type Listed = v.InferOutput<ReturnType<typeof shape>>

export const list = operation({
  name: 'worktree.list',
  kind: 'query',
  tier: 1,
  summary: 'List the worktrees of spawns, with their state and disk use.',
  input: v.strictObject({}),
  output: shape,
  errors: [],
  cli: { command: 'worktree list', also: ['worktrees'], examples: ['cleo worktree list'] },
  human: (data, style) => draw(data, style),
  async run(_, context) {
    const lines: Listed['worktrees'] = []
    for (const row of await worktrees.worktrees(context.store)) lines.push(await lineOf(context, row))
    const branches = (await worktrees.integrations(context.store)).map(({ epic, branch, onto, tip }) => ({
      ...{ epic, branch, tip, ...(onto && { onto }) },
    }))
    return ok({ worktrees: lines, branches, bytes: lines.reduce((sum, { bytes }) => sum + bytes, 0) })
  },
})

const lineOf = async (context: Context, row: WorktreeRow): Promise<Listed['worktrees'][number]> => {
  const { store } = context
  const { spawn, folder, branch, at } = row
  const git = writerFor(context)
  const task = (await tasks.find(store, row.task))!
  const condition = await conditionOf(context, git, folder)
  const recorded = await spawns.find(store, spawn)
  const now = await store.now()
  const isOut = task.attempt_out > 0 && recorded?.attempt === task.attempt_out
  const quiet = isOut ? await quietSince(context, recorded, now) : undefined
  return {
    ...{ spawnId: spawn, taskId: task.id, title: task.title, folder, ...(branch && { branch }), condition },
    ahead: await commitsAhead(git, row),
    uncommitted: condition === 'there' ? (await uncommittedIn(context.host, folder)).length : 0,
    // While this spawn is out, the stored merge state of the task is about an earlier attempt, so do not show it.
    merge: isOut ? 'none' : task.merge,
    bytes: condition === 'missing' ? 0 : diskUse(folder),
    since: iso(at),
    ...(quiet !== undefined && { quietFor: quietMinutes(quiet, now) }),
  }
}

const draw = ({ worktrees: lines, branches, bytes }: Listed, style: Style): string[] => [
  ...(lines.length === 0 ? [style.dim('No worktrees.')] : []),
  ...lines.flatMap((line) => [
    `${style.cyan(line.spawnId)} ${brief(line.title, 56)}  ${factsOf(line).join(' · ')}`,
    `  ${line.folder}`,
  ]),
  ...branches.map(({ branch, onto }) => `${style.cyan(branch)}${onto ? ` → ${onto}` : ''}`),
  ...(lines.length > 1 ? [`  ${lines.length} worktrees, ${formatBytes(bytes)}`] : []),
]

const factsOf = ({
  branch,
  condition,
  ahead,
  uncommitted,
  merge,
  bytes,
  quietFor,
}: Listed['worktrees'][number]) => [
  branch ?? 'no branch',
  ...(condition === 'there' ? [] : [condition]),
  `${ahead} ${ahead === 1 ? 'commit' : 'commits'}`,
  ...(uncommitted > 0 ? [`${uncommitted} uncommitted`] : []),
  ...(merge === 'none' ? [] : [`merge ${merge}`]),
  formatBytes(bytes),
  ...(quietFor === undefined ? [] : [`quiet for ${formatMinutes(quietFor)}`]),
]
