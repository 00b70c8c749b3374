import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskUse } from '../../src/host/stat.ts'
import { withTemp } from '../support/temp.ts'

test('[TREE-7] the disk use of a worktree is that of its files; a link in its place counts nothing', () =>
  withTemp(async (root) => {
    const folder = join(root, 'tree')
    mkdirSync(join(folder, 'src'), { recursive: true })
    writeFileSync(join(folder, 'src', 'one.txt'), 'x'.repeat(10_000))
    symlinkSync('/', join(folder, 'up'))
    expect(diskUse(folder)).toBeGreaterThanOrEqual(10_000)
    expect(diskUse(folder)).toBeLessThan(100_000)
    symlinkSync(folder, join(root, 'link'))
    expect(diskUse(join(root, 'link'))).toBe(0)
  }))
