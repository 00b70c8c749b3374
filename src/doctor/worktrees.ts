import type { StoreCheck } from './check.ts'
import { type Finding, open } from './finding.ts'
import { liveSpawns } from './sql/spawns.ts'

const most = 5

export const worktrees: StoreCheck = {
  id: 'worktrees',
  needs: 'store',
  asks: 'Is the work folder of every spawn under way still there?',
  async look({ store, host }) {
    const found: Finding[] = []
    for await (const { id, task, asked } of liveSpawns(store)) {
      const { worktree } = JSON.parse(asked) as { worktree?: string }
      // From where a relative one was meant, nobody remembers.
      if (!worktree?.startsWith('/') || host.files.kind(worktree) !== undefined) continue
      found.push(
        open({
          kind: 'file',
          severity: 'error',
          what: `${id} was sent to ${worktree}, which is gone`,
          why: `what was not merged from there is lost to ${task}`,
          where: worktree,
          advice: `Make the worktree again at that place, or hand ${task} out elsewhere`,
          fix: 'cleo orchestrate respawn --help',
        }),
      )
      if (found.length === most) break
    }
    return found
  },
}
