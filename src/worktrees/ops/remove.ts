import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { type Failure, fail, ok } from '../../kernel/result.ts'
import { canonicalSpawnId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { conditionOf, uncommittedIn } from '../condition.ts'
import { attemptRef, writerFor } from '../integration.ts'
import { removeWorktree } from '../remove.ts'
import type { WorktreeRow } from '../sql.ts'
import * as worktrees from '../sql.ts'
import { whyUnneeded } from '../unneeded.ts'

const SpawnId = v.pipe(
  v.string(),
  v.transform((id) => canonicalSpawnId(id) ?? id),
)

export const remove = operation({
  name: 'worktree.remove',
  kind: 'mutate',
  tier: 1,
  summary: "Remove a spawn's worktree; its commits and files stay in git under a ref.",
  input: v.strictObject({
    spawn: describe(SpawnId, 'spawn whose worktree is removed, such as T012.1'),
    discard: v.optional(
      describe(
        v.boolean(),
        'remove the worktree even if the task still needs it or files are uncommitted; CLEO saves the files first',
      ),
      false,
    ),
  }),
  output: () =>
    v.object({
      spawnId: v.string(),
      folder: v.string(),
      /** Where the commits and files of the worktree were saved. */
      saved: v.optional(v.object({ ref: v.string(), commit: v.string() })),
    }),
  errors: ['worktree.none', 'worktree.unsaved', 'worktree.needed', 'worktree.unsavable'],
  personOnly: { when: ['discard'] },
  orchestratorOnly: true,
  cli: {
    command: 'worktree remove',
    positional: ['spawn'],
    examples: ['cleo worktree remove T012.1', 'cleo worktree remove T012.1 --discard'],
  },
  human: ({ spawnId, folder, saved }, style) => [
    `${style.green('✓')} the worktree of ${style.cyan(spawnId)} is removed: ${folder}`,
    ...(saved ? [`  saved: ${saved.ref}`] : []),
  ],
  async run({ spawn, discard }, context) {
    const row = await worktrees.worktree(context.store, spawn)
    if (!row || row.state === 'gone') return fail('worktree.none', { spawn })
    const git = writerFor(context)
    const problem = await whyNot(context, row, discard)
    if (problem) return problem
    const { folder } = row
    const [kept] = context.dryRun ? [] : await removeWorktree(context, git, row)
    if (kept !== undefined)
      return fail('worktree.unsavable', { spawn, folder, why: kept.slice(kept.indexOf(': ') + 2) })
    const ref = attemptRef(spawn)
    const commit = await git.commit(ref)
    return ok({ spawnId: spawn, folder, ...(commit && { saved: { ref, commit } }) })
  },
})

const whyNot = async (
  context: Context,
  row: WorktreeRow,
  discard: boolean,
): Promise<Failure<'worktree.unsaved' | 'worktree.needed' | 'worktree.unsavable'> | undefined> => {
  const git = writerFor(context)
  const { spawn, folder } = row
  const condition = await conditionOf(context, git, folder)
  // Git cannot save anything from a folder that has lost its link to the repository.
  if (condition === 'unlinked' || (condition === 'emptied' && context.host.files.list(folder).length > 0))
    return fail('worktree.unsavable', { spawn, folder, why: 'it is no longer a worktree of this repository' })
  if (discard) return undefined
  const files = condition === 'there' ? await uncommittedIn(context.host, folder) : []
  if (files.length > 0) return fail('worktree.unsaved', { spawn, folder, files })
  const task = (await tasks.find(context.store, row.task)) as TaskRow
  const latest = await spawns.lastAttempt(context.store, row.task)
  if ((await whyUnneeded(context, row)) || latest === undefined) return undefined
  return fail('worktree.needed', { spawn, task: task.id, isOut: task.attempt_out > 0 })
}
