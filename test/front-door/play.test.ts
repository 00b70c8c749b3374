import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Play, play } from './play.ts'

describe('fourteen tasks whose agents run only what was printed for them', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-play-'))
  let played: Play
  beforeAll(async () => {
    played = await play(folder)
  }, 180_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  test('x', async () => {
    expect(await played.show('T001')).toMatchObject({ status: 'done' })
  })
})
