import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freeSpace } from '../../src/host/machine.ts'
import { spaceProblem } from '../../src/worktrees/space.ts'
import { withTemp } from '../support/temp.ts'

test('[TREE-3] a disk with less free space than worktrees.minFree is refused with both figures', () =>
  withTemp((folder) => {
    // The folder of the worktree does not exist yet.
    const tree = join(folder, 'worktrees', 'T001.1')
    expect(freeSpace(tree)).toBeGreaterThan(0)
    expect(spaceProblem({ config: { worktrees: { minFree: 0 } } }, tree)).toBeUndefined()
    expect(spaceProblem({ config: { worktrees: { minFree: 5e17 } } }, tree)).toMatchObject({
      ...{ ok: false, code: 'worktree.space', exit: 3, fix: 'cleo worktree list' },
      message: expect.stringMatching(
        /^No worktree was made: the disk of .*T001\.1 has [\d.]+ (?:bytes|[KMGT]B) free, but worktrees\.minFree requires 500000 TB\.$/,
      ),
    })
  }))
