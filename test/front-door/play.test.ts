import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Play, play } from './play.ts'
import type { Role } from './play-agents.ts'

describe('fourteen tasks whose lead and agents run only what was printed for them', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-play-'))
  let played: Play
  beforeAll(async () => {
    played = await play(folder)
  }, 240_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const show = (role: Role) => played.ask<Record<string, unknown>>(`cleo show ${played.ids[role]}`)
  const read = (role: Role, attempt = 1) => played.agents[`${played.ids[role]}.${attempt}`]!
  /** Returns what the agent's commands printed, without its prompt. */
  const said = (role: Role, attempt = 1) => read(role, attempt).split('\n$ ').slice(1).join('\n$ ')

  test.each([
    ...(['old', 'research', 'red', 'framed', 'chatter', 'voters', 'good', 'quiet'] as const),
    ...(['blocked', 'lazy', 'forgetful', 'needy', 'release'] as const),
  ])('[GATE-1] %s: done and complete', async (role) => {
    expect(await show(role)).toMatchObject({ status: 'done', outcome: 'complete' })
  })

  test('[GATE-1] old: a task that was never spawned is done by its entry', async () => {
    expect(played.lead).not.toContain(`cleo spawn ${played.ids.old}`)
    expect(await show('old')).toMatchObject({ entries: [{ id: `${played.ids.old}-queues` }] })
  })

  test('[PROT-1] red: complete names the broken rules, and their lines repair them', () => {
    expect(said('red')).toMatch(/✗ SPEC-003 .*\n +fix: correct \S+\.md, then: cleo manifest append --revises/)
    expect(said('red')).toContain('[exit 60]')
  })

  test('[ORCH-5] framed: what a client puts around the line is taken off; the parts close the whole', async () => {
    expect(played.lead).toContain(`cleo receive ${played.ids.framed} --message '<result>`)
    expect(played.lead).not.toContain(`BASE-002: ${played.ids.framed}.1`)
    expect(said('framed')).toContain(
      `✓ ${played.ids.framed} is split; it will be done when its last child is done`,
    )
    const { tasks } = await played.ask<{ tasks: unknown[] }>(
      `cleo list --parent ${played.ids.framed} --status done`,
    )
    expect(tasks).toHaveLength(2)
  })

  test('[ORCH-5] chatter: a wrong line after finished work is a warning', () => {
    expect(played.lead).toContain(`BASE-002: ${played.ids.chatter}.1`)
    expect(played.agents).not.toHaveProperty([`${played.ids.chatter}.2`])
  })

  test('[PROT-3] voters: the last of three votes decides and completes the task', async () => {
    expect(await played.ask(`cleo consensus tally ${played.ids.voters}`)).toMatchObject({ verdict: 'proven' })
    expect(played.lead).not.toContain(`cleo spawn ${played.ids.voters}`)
  })

  test('[SESS-4] quiet: the task stays with its spawn until the lead replaces it as shown', () => {
    expect(played.lead).toContain(`${played.ids.quiet}.1 has been quiet for`)
    expect(played.lead).toContain(`to replace it: cleo respawn ${played.ids.quiet} --ref`)
    expect(Object.keys(played.agents)).toContain(`${played.ids.quiet}.2`)
  })

  test('[GATE-1] partial: what is left becomes a task that is done too', async () => {
    expect(await show('partial')).toMatchObject({ status: 'done', outcome: 'partial' })
    const { tasks } = await played.ask<{ tasks: unknown[] }>('cleo list --parent T001 --status done')
    expect(tasks).toContainEqual(expect.objectContaining({ title: 'Export empty lists' }))
  })

  test('[ORCH-1] blocked: next leads to the inbox, and the answer is in the next prompt', () => {
    expect(played.lead).toContain('no task is ready: 1 blocked\n  then: cleo inbox\n')
    expect(read('blocked', 2)).toContain('The login is in the vault now.')
  })

  test('[ORCH-5] lazy: a return without work is refused, and the fix spawns the task again', () => {
    expect(played.lead).toContain(`fix: cleo respawn ${played.ids.lazy} --ref\n[exit 62]`)
    expect(read('lazy', 2)).toContain('### Last Attempt')
  })

  test('[SESS-3] forgetful: every refusal of a command without --as says what to add', () => {
    const hint = `If you are ${played.ids.forgetful}.1, add --as ${played.ids.forgetful}.1.`
    const refusals = said('forgetful')
      .split('\n$ ')
      .filter((each) => !each.includes('[exit 0]'))
    expect(refusals.map((each) => each.split(/\s+/, 3).slice(1, 3).join(' '))).toEqual([
      'focus set',
      `finish ${played.ids.forgetful}`,
    ])
    for (const each of refusals) expect(each).toContain(hint)
  })

  test('[SKILL-10] needy: the skill it asked for is in its next prompt', () => {
    expect(read('needy')).not.toContain('### ct-test-runner')
    expect(read('needy', 2)).toContain('### ct-test-runner')
  })

  test('[GATE-1] the epic is done in part, because one of its tasks is, and doctor finds no problems', async () => {
    expect(played.lead).toMatch(/no open tasks\n\[exit 0\]\n$/)
    expect(await played.ask('cleo show T001')).toMatchObject({ status: 'done', outcome: 'partial' })
    await played.ask('cleo doctor')
  })
})
