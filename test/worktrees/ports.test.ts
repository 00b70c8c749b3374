import { mkdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { portsEach, releasePorts, reservePorts, worktreeVariables } from '../../src/worktrees/ports.ts'
import { withTemp } from '../support/temp.ts'

/**
 * Each home folder gets a user of its own. Tests in other files try the ports of the user `ada`, and a port looks
 * taken while somebody tries it.
 */
const hostAt = (home: string, now = () => Date.now()) => ({ ...nodeHost(), home, user: home, env: {}, now })

const holder = (home: string, spawn: string, project = 'shop') => {
  const folder = join(home, `${project}-${spawn}`)
  mkdirSync(folder, { recursive: true })
  return { project, spawn, folder }
}

describe('[TREE-3] blocks of ports', () => {
  test('many worktrees of several projects that ask at once get blocks that do not overlap', () =>
    withTemp(async (home) => {
      const asked = Array.from({ length: 12 }, (_, n) =>
        reservePorts(hostAt(home), holder(home, `T00${n}.1`, n % 2 ? 'shop' : 'blog')),
      )
      const bases = (await Promise.all(asked)).map(Number).sort((a, b) => a - b)
      expect(bases.every((base, i) => i === 0 || base - bases[i - 1]! >= portsEach)).toBe(true)
    }))

  test('the same worktree gets the same block again, and another one gets it only after it was released', () =>
    withTemp(async (home) => {
      const host = hostAt(home)
      const [one, two] = [holder(home, 'T001.1'), holder(home, 'T002.1')]
      const first = await reservePorts(host, one)
      expect(await reservePorts(host, one)).toBe(first)
      await releasePorts(host, first!, two)
      expect(await reservePorts(host, two), 'released only by its holder').not.toBe(first)
      await releasePorts(host, first!, one)
      expect(await reservePorts(host, holder(home, 'T003.1'))).toBe(first)
    }))

  test('a block is taken back when its worktree is gone, but not while the worktree is being made', () =>
    withTemp(async (home) => {
      const one = holder(home, 'T001.1')
      const first = await reservePorts(hostAt(home), one)
      rmSync(one.folder, { recursive: true })
      expect(await reservePorts(hostAt(home), holder(home, 'T002.1'))).not.toBe(first)
      const later = () => Date.now() + 2 * 60 * 60_000
      expect(await reservePorts(hostAt(home, later), holder(home, 'T003.1'))).toBe(first)
    }))

  test('a block in which a program listens is left out', () =>
    withTemp(async (home) => {
      const one = holder(home, 'T001.1')
      const first = await reservePorts(hostAt(home), one)
      await releasePorts(hostAt(home), first!, one)
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(first! + 7, '127.0.0.1', resolve))
      try {
        expect(await reservePorts(hostAt(home), one)).not.toBe(first)
      } finally {
        await new Promise((resolve) => server.close(resolve))
      }
    }))

  test('the variables of a worktree', () =>
    expect(worktreeVariables({ slot: 2, portBase: 20_020, composeProject: 'shop-t001-1' })).toEqual({
      ...{ CLEO_SLOT: '2', CLEO_PORT_BASE: '20020', COMPOSE_PROJECT_NAME: 'shop-t001-1' },
    }))
})
