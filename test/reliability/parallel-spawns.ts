import { join } from 'node:path'
import { expect } from 'vitest'
import { executable, run, start } from '../support/cleo.ts'
import { commit, git, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

/**
 * Starts many spawns at the same moment, from a branch that tracks a remote one. git must not write its
 * configuration for this, because only one process at a time can lock the file.
 */
export const spawnAtOnce = ({ spawns, rounds }: { spawns: number; rounds: number }): Promise<void> =>
  withTemp(async (root) => {
    repository(root)
    commit(
      root,
      'Files',
      Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`src/${n}.txt`, `${n}\n`])),
    )
    const remote = join(root, '.home', 'remote.git')
    git(root, 'clone', '-q', '--bare', root, remote)
    git(root, 'remote', 'add', 'origin', remote)
    git(root, 'fetch', '-q', 'origin')
    git(root, 'branch', '-q', '--set-upstream-to=origin/main')
    const cleo = (...args: string[]) => run(executable, args, { cwd: root })
    expect(cleo('init').exit).toBe(0)
    const failures: string[] = []
    for (let round = 0; round < rounds; round++) {
      const epic = (JSON.parse(cleo('add', `Round ${round}`, '--type', 'epic').stdout) as Added).data.id
      const rows = Array.from({ length: spawns }, (_, n) => ({
        title: `Build ${n}`,
        description: 'Build it.',
        parent: epic,
      }))
      const input = rows.map((row) => JSON.stringify(row)).join('\n')
      expect(run(executable, ['add', '--batch', '-'], { cwd: root, input }).exit).toBe(0)
      const first = Number(epic.slice(1)) + 1
      const ids = rows.map((_, n) => `T${String(first + n).padStart(3, '0')}`)
      const ran = await Promise.all(ids.map((id) => start(executable, ['spawn', id, '--ref'], { cwd: root })))
      failures.push(...ran.flatMap(({ exit, stdout }) => (exit === 0 ? [] : [stdout])))
    }
    expect(failures, `of ${spawns * rounds} spawns`).toEqual([])
    const known = git(root, 'worktree', 'list', '--porcelain').split('\n\n')
    expect(known, 'one worktree each').toHaveLength(1 + spawns * rounds)
  })

interface Added {
  data: { id: string }
}
