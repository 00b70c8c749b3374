import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { findOutside } from '../../src/host/programs.ts'
import { withTemp } from '../support/temp.ts'

test('[PROJ-8] a program runs without the folders on PATH that the repository can write, also through a link', () =>
  withTemp((folder) => {
    const [clone, outside, bin] = ['clone', 'outside', 'bin'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    for (const made of [join(clone, 'bin'), outside, bin]) mkdirSync(made, { recursive: true })
    symlinkSync(join(clone, 'bin'), join(folder, 'linked'))
    symlinkSync(clone, join(folder, 'top'))
    writeFileSync(join(bin, 'git'), '')
    chmodSync(join(bin, 'git'), 0o755)
    const kept = [outside, bin, join(folder, 'missing')]
    const dropped = ['', '.', 'bin', clone, join(clone, 'bin'), join(folder, 'linked'), join(folder, 'top')]
    const host = { ...nodeHost(), home: folder, env: { PATH: [...kept, ...dropped].join(':') } }
    const found = findOutside(host, 'git', clone)
    expect(found).toEqual({ program: join(bin, 'git'), env: { PATH: kept.join(':') } })
  }))
