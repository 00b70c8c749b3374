import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { whyNoManifest, whyOutside } from '../../src/project/confined-path.ts'
import { withTemp } from '../support/temp.ts'

const withLinks = (work: (shop: string) => void): Promise<void> =>
  withTemp((folder) => {
    const shop = join(folder, 'shop')
    for (const path of ['shop/docs', 'shop/.git/hooks', 'shop/.cleo', 'other'])
      mkdirSync(join(folder, path), { recursive: true })
    symlinkSync(join(folder, 'other'), join(shop, 'out'))
    symlinkSync('.git', join(shop, 'inner'))
    symlinkSync('docs', join(shop, 'same'))
    symlinkSync(join(folder, 'gone'), join(shop, 'nowhere'))
    symlinkSync('loop', join(shop, 'loop'))
    work(shop)
  })

test('[PROJ-8] a path is followed through its links before it is allowed', () =>
  withLinks((shop) => {
    const refused: [path: string, why: RegExp][] = [
      ['out', /^leads to .*\/other, which is not inside/],
      ['out/new/folder', /^leads to .*\/other\/new\/folder/],
      ['inner/hooks', /^is inside .git$/],
      ['nowhere/x', /^is a link that leads nowhere$/],
      ['loop', /^is a link that leads nowhere$/],
    ]
    for (const [path, why] of refused)
      expect(whyOutside(shop, path) ?? 'allowed', `${path} is refused`).toMatch(why)
    for (const path of ['docs', 'docs/new', 'same/new', 'new/folder', `${shop}/docs`, 'docs/../docs'])
      expect(whyOutside(shop, path), path).toBeUndefined()
  }))

test('[PROJ-8] a path that names .git or .cleo, in any spelling, or leaves the project is refused', () =>
  withLinks((shop) => {
    const names = [
      '.git',
      '.git/hooks',
      'sub/.GIT',
      '.cleo',
      '.Cleo/x',
      '.git. /x',
      'GIT~1',
      '.g\u200dit/hooks',
    ]
    for (const path of names) expect(whyOutside(shop, path), path).toMatch(/^is inside /)
    for (const path of ['.', '..', '../other', '/etc', 'docs/../..', '', '/'])
      expect(whyOutside(shop, path), path).toMatch(/^is not inside /)
    expect(whyOutside(shop, '~/x')).toMatch(/^starts with ~/)
    for (const path of ['.github', 'git', 'docs/.gitignore', 'cleo'])
      expect(whyOutside(shop, path), path).toBeUndefined()
  }))

test('[PROJ-8] a manifest ends in .jsonl', () =>
  withLinks((shop) => {
    expect(whyNoManifest(shop, 'docs/M.jsonl')).toBeUndefined()
    for (const path of ['docs/M.json', 'package.json', '.bashrc', 'docs/M.jsonl/x'])
      expect(whyNoManifest(shop, path), path).toBe('does not end in .jsonl')
    expect(whyNoManifest(shop, '../M.jsonl')).toMatch(/^is not inside/)
  }))
