import * as v from 'valibot'
import { diskUse } from '../../host/stat.ts'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { writerFor } from '../integration.ts'
import { formatBytes } from '../space.ts'
import * as worktrees from '../sql.ts'
import { type IdleWorktree, idleWorktrees, leftovers, removeLeftover, removeUnneeded } from '../unneeded.ts'

const linesShape = () => v.array(v.object({ name: v.string(), why: v.string() }))

export const prune = operation({
  name: 'worktree.prune',
  kind: 'mutate',
  tier: 1,
  summary: 'Remove worktrees that no task needs any more; keep those with unsaved work.',
  input: v.strictObject({}),
  output: () => v.object({ removed: linesShape(), kept: linesShape(), bytes: v.number() }),
  errors: [],
  orchestratorOnly: true,
  cli: {
    command: 'worktree prune',
    suggestedFor: ['clean', 'cleanup', 'gc'],
    examples: ['cleo worktree prune --dry-run', 'cleo worktree prune'],
  },
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
    for (const idle of await idleWorktrees(context)) {
      const { row } = idle
      const reason = whyKeep(idle)
      const size = reason ? 0 : diskUse(row.folder)
      const whyKept = reason ?? (context.dryRun ? undefined : await removeUnneeded(context, git, row))
      if (whyKept !== undefined) {
        kept.push({ name: row.spawn, why: whyKept })
        continue
      }
      bytes += size
      const gone = idle.condition === 'missing' ? '; its folder is gone' : ''
      removed.push({ name: row.spawn, why: `${idle.why}${gone}` })
    }
    const gone = new Set(removed.map(({ name }) => name))
    const rows = await worktrees.worktrees(context.store)
    const known = rows.map(({ spawn }) => spawn).filter((spawn) => !gone.has(spawn))
    for (const left of await leftovers(context, new Set(known))) {
      bytes += diskUse(left.path)
      removed.push({ name: left.name, why: 'left over' })
      if (!context.dryRun) await removeLeftover(git, left)
    }
    return ok({ removed, kept, bytes })
  },
})

/** Undefined if the worktree can be removed. */
const whyKeep = ({ why, condition, uncommitted }: IdleWorktree): string | undefined => {
  if (condition === 'emptied' || condition === 'unlinked')
    return 'git does not know this folder as a worktree: cleo doctor'
  return uncommitted.length > 0 ? `${why}, but ${uncommitted.length} files are in no commit` : undefined
}
