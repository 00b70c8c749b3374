import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { diskUse } from '../../host/stat.ts'
import { ok } from '../../kernel/result.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import {
  conditionOf,
  leftovers,
  removeLeftover,
  removeUnneeded,
  uncommittedIn,
  whyUnneeded,
} from '../condition.ts'
import { writerFor } from '../integration.ts'
import { formatBytes } from '../space.ts'
import type { WorktreeRow } from '../sql.ts'
import * as worktrees from '../sql.ts'

const linesShape = () => v.array(v.object({ name: v.string(), why: v.string() }))

export const prune = operation({
  name: 'worktree.prune',
  kind: 'mutate',
  tier: 1,
  summary: 'Remove worktrees that are merged, replaced or gone, never unsaved work.',
  input: v.strictObject({}),
  output: () => v.object({ removed: linesShape(), kept: linesShape(), bytes: v.number() }),
  errors: [],
  orchestratorOnly: true,
  cli: { command: 'worktree prune', examples: ['cleo worktree prune --dry-run', 'cleo worktree prune'] },
  human: ({ removed, kept, bytes }, style) => [
    ...removed.map(({ name, why }) => `${style.green('✓')} ${name}  ${why}`),
    ...kept.map(({ name, why }) => `${style.yellow('kept')} ${name}  ${why}`),
    removed.length > 0 ? `  ${formatBytes(bytes)} freed` : style.dim('Nothing to remove.'),
  ],
  async run(_, context) {
    const git = writerFor(context)
    const removed: { name: string; why: string }[] = []
    const kept: { name: string; why: string }[] = []
    let bytes = 0
    const rows = await worktrees.worktrees(context.store)
    for (const row of rows) {
      const verdict = await judge(context, row)
      if (!verdict) continue
      if ('kept' in verdict) kept.push({ name: row.spawn, why: verdict.kept })
      else {
        bytes += diskUse(row.folder)
        removed.push({ name: row.spawn, why: verdict.why })
        if (!context.dryRun) await removeUnneeded(context, git, row)
      }
    }
    const gone = new Set(removed.map(({ name }) => name))
    const known = rows.map(({ spawn }) => spawn).filter((spawn) => !gone.has(spawn))
    for (const left of await leftovers(context, new Set(known))) {
      bytes += diskUse(left.path)
      removed.push({ name: left.name, why: 'left over' })
      if (!context.dryRun) await removeLeftover(git, left)
    }
    return ok({ removed, kept, bytes })
  },
})

/** Why a worktree can be removed, or why it is kept although it is not needed; undefined if it is needed. */
const judge = async (
  context: Context,
  row: WorktreeRow,
): Promise<{ why: string } | { kept: string } | undefined> => {
  const git = writerFor(context)
  const condition = await conditionOf(context, git, row.folder)
  const task = await tasks.find(context.store, row.task)
  const latest = await spawns.lastAttempt(context.store, row.task)
  const unneeded = task && whyUnneeded(row, task, latest?.id)
  if (!unneeded) return undefined
  if (condition === 'missing') return { why: `${unneeded}; its folder is gone` }
  if (condition !== 'there') return { kept: 'git does not know this folder as a worktree: cleo doctor' }
  const files = await uncommittedIn(git, row.folder)
  return files.length > 0
    ? { kept: `${unneeded}, but ${files.length} files are in no commit` }
    : { why: unneeded }
}
