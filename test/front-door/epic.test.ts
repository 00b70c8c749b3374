import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { playStory, type Role, type Story } from './story.ts'

describe('an epic of twelve tasks with shell scripts as agents', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-epic-'))
  let story: Story
  beforeAll(async () => {
    story = await playStory(folder)
  }, 120_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const part = (role: Role) => story.parts[role]
  const answer = (role: Role) => JSON.parse(part(role).received.stdout) as Record<string, unknown>
  const refusals = (role: Role) => part(role).log.match(/^refused \d+$/gm) ?? []

  test.each(['good', 'old-school', 'late', 'follower'] as const)(
    '[GATE-1] %s: submitted, proven and complete',
    (role) => {
      expect(part(role).received.exit, part(role).received.stdout).toBe(0)
      expect(answer(role)).toMatchObject({ data: { taskId: part(role).id, outcome: 'complete' } })
      expect(part(role).then).toMatchObject({ status: 'done', outcome: 'complete' })
    },
  )

  test('[GATE-1] partial: done with that outcome, and what is left becomes a task', () => {
    expect(part('partial').received.exit, part('partial').received.stdout).toBe(0)
    expect(part('partial').then).toMatchObject({ status: 'done', outcome: 'partial' })
    expect(story.open).toEqual([`Handle empty input of ${part('partial').id}`])
  })

  test('[GATE-1] blocked: the inbox shows the task with its reason, and the answer unblocks it', () => {
    expect(part('blocked').received.exit, part('blocked').received.stdout).toBe(0)
    expect(part('blocked').then).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('The staging database refuses the login.'),
    })
    expect(story.inbox).toContain(part('blocked').id)
    expect(story.answered).toMatch(/ada: Answer to ".*": The login is in the vault now\./)
    expect(story.again.blocked?.then.status).toBe('done')
  })

  test('[ORCH-5] lazy: without an entry nothing is complete', () => {
    expect(part('lazy').received.exit).toBe(62)
    expect(answer('lazy')).toMatchObject({
      error: {
        code: 'manifest.missing',
        message: expect.stringContaining(`${part('lazy').id}.1`),
        fix: expect.stringContaining(`cleo respawn ${part('lazy').id}`),
      },
    })
    expect(part('lazy').then.status).not.toBe('done')
  })

  test('[ORCH-5] lying: an entry for a file that is not there', () => {
    expect(part('lying').received.exit, part('lying').received.stdout).toBe(62)
    expect(part('lying').received.stdout).toContain(`${part('lying').id}-report.md`)
    expect(part('lying').then.status).not.toBe('done')
  })

  test('[GATE-3] forging: a typed report, another tool and a note prove no tests', () => {
    expect(refusals('forging')).toEqual(['refused 41', 'refused 41', 'refused 41'])
    expect(part('forging').received.exit, part('forging').received.stdout).toBe(40)
    expect(part('forging').received.stdout).toContain('testsPassed')
    expect(part('forging').then.status).not.toBe('done')
  })

  test('[GATE-4] elsewhere: tests fail in its own worktree, and passing in another one does not count', () => {
    expect(refusals('elsewhere').slice(0, 2)).toEqual(['refused 41', 'refused 41'])
    expect(part('elsewhere').log).toContain(join(story.folder, part('elsewhere').id))
    expect(part('elsewhere').received.exit, part('elsewhere').received.stdout).toBe(45)
    expect(part('elsewhere').then.status).not.toBe('done')
  })

  test('[SESS-3] late: a superseded agent can write nothing', () => {
    expect(story.held.exit).toBe(35)
    expect(refusals('late')).toEqual(['refused 35', 'refused 35', 'refused 35'])
  })

  test('[SKILL-10] learner: the skill it asked for is in its next prompt', () => {
    expect(part('learner').received.exit, part('learner').received.stdout).toBe(0)
    expect(part('learner').then.status).toBe('pending')
    expect(story.skills).toContain('ct-test-runner')
    expect(story.again.learner?.then).toMatchObject({ status: 'done', outcome: 'complete' })
  })

  test('[MANI-5] researcher: its findings are in the prompt of the dependent task', () => {
    expect(answer('researcher')).toMatchObject({
      data: { outcome: 'complete', unblocked: [part('follower').id] },
    })
    expect(story.prompt).toContain('Argon2id is the choice.')
  })

  test.each(['lazy', 'lying', 'forging', 'elsewhere'] as const)(
    '[ORCH-5] %s: spawned again, the work gets done',
    (role) => {
      expect(story.again[role]?.received.exit, story.again[role]?.received.stdout).toBe(0)
      expect(story.again[role]?.then).toMatchObject({ status: 'done', outcome: 'complete' })
    },
  )

  test('[PROJ-6] doctor finds no problems afterwards', () => {
    expect(story.doctor.exit, story.doctor.stdout).toBe(0)
  })
})
