import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plantOrdinary } from '../support/ordinary-task.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'

const whole = async (project: TestProject, input: object = {}) => {
  const answer = await project.must('orchestrate.spawn', { id: 'T004', here: true, ...input })
  if (!('taskId' in answer)) throw new Error('a pointer, where everything was asked for')
  return answer
}

onEveryStore((withProject) => {
  test('[SPAWN-1] the same inputs give the same spawn, byte for byte, a hundred times', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const first = await whole(project)
      expect(first).toMatchObject({
        spawnId: 'T004.1',
        subagent_type: 'cleo-subagent',
        protocol: 'implementation',
      })
      expect(first.noChange).toBeUndefined()
      expect(readFileSync(first.promptFile, 'utf8')).toBe(first.prompt)
      for (let i = 0; i < 100; i++) expect(await whole(project)).toEqual({ ...first, noChange: true })
      expect((await project.must('orchestrate.spawn.list', {})).spawns).toHaveLength(1)
    }))

  test('[SPAWN-1] a changed input changes the hash, makes the next attempt, and the diff shows where', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const first = await whole(project)
      await project.must('tasks.update', { id: 'T004', description: 'Build it differently.' })
      const second = await whole(project)
      expect(second.spawnId).toBe('T004.2')
      expect(second.hash).not.toBe(first.hash)
      const { changes, same } = await project.must('orchestrate.spawn.diff', { from: 'T004' })
      expect(same).toBe(false)
      expect(changes).toHaveLength(1)
      expect(changes[0]).toMatchObject({ section: '### Task Identity', added: ['Build it differently.'] })
    }))

  test('[SPAWN-1] of two that spawn at once both get the same spawn', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const all = await Promise.all([1, 2, 3, 4].map(() => whole(project)))
      expect(new Set(all.map(({ spawnId, hash }) => `${spawnId} ${hash}`)).size).toBe(1)
    }))

  test('[SPAWN-1] the same spawn restores a prompt file that is missing or was changed', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const { promptFile, prompt } = await whole(project)
      for (const spoil of [() => rmSync(promptFile), () => writeFileSync(promptFile, 'do as you like')]) {
        spoil()
        const shown = await project.call('orchestrate.spawn.show', { id: 'T004.1' })
        expect(shown.ok && shown.warnings?.join()).toContain('differs from the recorded prompt')
        expect(await project.must('orchestrate.spawn.show', { id: 'T004', prompt: true })).toEqual({
          document: prompt,
        })
        await whole(project)
        expect(readFileSync(promptFile, 'utf8')).toBe(prompt)
      }
    }))

  test('[SPAWN-2] [SPAWN-7] all refusals are named at once; the first decides the exit', () =>
    withProject(async (project) => {
      const { must, call } = project
      expect(await call('orchestrate.spawn', { id: 'T099' })).toMatchObject({
        code: 'task.not_found',
        exit: 4,
      })
      await must('tasks.add', { title: 'first' })
      await must('tasks.add', { title: 'bare', depends: ['T001'], files: ['a', 'b', 'c', 'd'] })
      const refused = await call('orchestrate.spawn', {
        id: 'T002',
        skills: ['no-such-skill'],
        worktree: 'nowhere',
      })
      expect(refused).toMatchObject({ ok: false, exit: 5, code: 'dependency.open' })
      expect(!refused.ok && refused.problems?.map(({ code }) => code)).toEqual([
        'dependency.open',
        'spawn.undescribed',
        'spawn.untraced',
        'spawn.files',
        'skill.missing',
        'spawn.folder',
      ])
      await must('tasks.add', { title: 'an epic', type: 'epic' })
      await must('tasks.add', { title: 'whole', parent: 'T003', description: 'x' })
      await must('tasks.add', { title: 'part', parent: 'T004' })
      expect(await call('orchestrate.spawn', { id: 'T004' })).toMatchObject({
        code: 'spawn.parts',
        exit: 63,
        retryable: false,
      })
      await must('tasks.cancel', { id: 'T005', reason: 'no' })
      await must('tasks.block', { id: 'T004', reason: 'no' })
      expect(await call('orchestrate.spawn', { id: 'T004' })).toMatchObject({
        code: 'spawn.closed',
        fix: 'cleo unblock T004',
      })
      await must('tasks.unblock', { id: 'T004' })
      expect(await call('orchestrate.spawn', { id: 'T004' })).toMatchObject({ ok: true })
      expect(await call('orchestrate.spawn', { id: 'T004', output: '../elsewhere' })).toMatchObject({
        code: 'path.outside',
        exit: 8,
      })
      writeFileSync(join(project.root, 'notes.txt'), '')
      expect(await call('orchestrate.spawn', { id: 'T004', output: 'notes.txt' })).toMatchObject({
        code: 'spawn.folder',
      })
    }))

  test('[SPAWN-2] a task with an active owner is not spawned; a person can replace the owner', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      await whole(project)
      const agent = project.as('T004.1')
      await agent.must('focus.set', { id: 'T004' })
      expect(await project.call('orchestrate.spawn', { id: 'T004' })).toMatchObject({
        code: 'spawn.out',
        exit: 35,
      })
      const other = project.as('T009.1')
      expect(await other.call('orchestrate.spawn', { id: 'T004', replace: true })).toMatchObject({ exit: 64 })
      expect(await whole(project, { replace: true })).toMatchObject({ spawnId: 'T004.2' })
      const late = [
        agent.call('tasks.note', { id: 'T004', text: 'late' }),
        agent.call('tasks.complete', { id: 'T004' }),
        agent.call('focus.set', { id: 'T004' }),
        agent.call('tasks.add', { title: 'elsewhere' }),
      ]
      for (const answer of await Promise.all(late))
        expect(answer).toMatchObject({ code: 'spawn.superseded', exit: 35 })
      await project.as('T004.2').must('focus.set', { id: 'T004' })
    }))

  test('[SPAWN-1] a started spawn is not reused: the next spawn is a new attempt', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      await whole(project)
      const agent = project.as('T004.1')
      await agent.must('focus.set', { id: 'T004' })
      await agent.must('focus.clear', {})
      const next = await whole(project)
      expect(next.spawnId).toBe('T004.2')
      expect((await project.must('orchestrate.spawn.diff', { from: 'T004.1', to: 'T004.2' })).same).toBe(true)
      expect(
        (await project.must('orchestrate.spawn.list', { task: 'T004' })).spawns.map(({ state }) => state),
      ).toEqual(['waits', 'superseded'])
    }))

  test('[SPAWN-6] --ref prints a pointer, --task-tool the call, --prompt the prompt; none of the first two holds it', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const { prompt, promptFile, hash, tokens } = await whole(project)
      const pointer = await project.must('orchestrate.spawn', { id: 'T004', ref: true, here: true })
      expect(pointer).toEqual({
        spawnId: 'T004.1',
        protocol: 'implementation',
        reason: 'files: "src/signup.ts"',
        subagent_type: 'cleo-subagent',
        promptFile,
        hash: hash.slice(0, 12),
        tokens,
        noChange: true,
      })
      expect(await project.must('orchestrate.spawn', { id: 'T004', here: true, taskTool: true })).toEqual({
        tool: 'Task',
        description: 'T004.1 implementation',
        subagent_type: 'cleo-subagent',
        prompt: `Read ${promptFile} and follow it exactly.`,
        skills: [],
      })
      expect(await project.must('orchestrate.spawn', { id: 'T004', here: true, prompt: true })).toEqual({
        document: prompt,
      })
    }))

  test('[SPAWN-6] a dry run makes the prompt and leaves no trace', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      const dry = await project.call('orchestrate.spawn', { id: 'T004' }, { dryRun: true })
      expect(dry.ok && 'prompt' in dry.value && dry.value.prompt).toContain('# T004.1')
      expect((await project.must('orchestrate.spawn.list', {})).spawns).toEqual([])
      expect(() => readFileSync(join(project.root, '.cleo/spawns/T004.1.md'))).toThrow(/ENOENT/)
      expect(() => readFileSync(join(project.root, 'claudedocs'))).toThrow(/ENOENT/)
    }))

  test('[SKILL-10] a respawn includes the skill that the last agent asked for', () =>
    withProject(async (project) => {
      await plantOrdinary(project)
      expect(await project.call('orchestrate.respawn', { id: 'T004' })).toMatchObject({
        code: 'spawn.none',
        exit: 4,
      })
      await project.must('orchestrate.spawn', { id: 'T004', tier: 1, protocol: 'research' })
      const again = await project.must('orchestrate.respawn', {
        id: 'T004',
        message: 'need skill: ct-test-runner',
      })
      expect(again).toMatchObject({
        spawnId: 'T004.2',
        protocol: 'research',
        skills: [{ name: 'ct-research-agent' }, { name: 'ct-test-runner', strategy: 'standard' }],
      })
      const deeper = await project.must('orchestrate.respawn', {
        id: 'T004',
        message: 'need level: ct-epic-architect L2',
      })
      expect(deeper).toMatchObject({
        skills: [{}, {}, { name: 'ct-epic-architect', strategy: 'comprehensive' }],
      })
      expect('prompt' in deeper && deeper.prompt).toContain('worked-example')
      expect(
        await project.call('orchestrate.respawn', { id: 'T004', message: 'I found a lot' }),
      ).toMatchObject({
        code: 'return.invalid',
        exit: 61,
      })
      expect(
        await project.call('orchestrate.respawn', { id: 'T004', message: 'need skill: nowhere' }),
      ).toMatchObject({ exit: 6 })
    }))
})
