import { chmodSync, linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommand } from '../../src/operation/commands.ts'
import { parseArgs } from '../../src/surface/cli/args.ts'
import {
  done,
  echo,
  entriesOf,
  idsOf,
  line,
  linesOf,
  manifestOf,
  outputs,
  put,
  three,
  withSpawnedTask,
} from '../support/manifest-project.ts'
import { onEveryStore, withProject } from '../support/project.ts'
import { shellWords } from '../support/shell-words.ts'
import { rulings } from '../support/subagent.ts'

onEveryStore((withProject) => {
  test('[MANI-1] [MANI-3] an entry is stored with its line, its search words and its log entry', () =>
    withSpawnedTask(withProject, async (project) => {
      const answer = await project.as('T002.1').must('pipeline.manifest.append', done)
      expect(answer).toEqual({
        id: 'T002-compare-hashing',
        taskId: 'T002',
        spawnId: 'T002.1',
        status: 'complete',
        file: 'T002-compare-hashing.md',
        sha256: 'dba36bffa5cab0f922d087a3aeb179f9d4e745df40b323e1b1471402848c8a3e',
      })
      const shown = await project.must('pipeline.manifest.show', { id: 'T002' })
      expect(shown).toMatchObject({
        title: 'Compare hashing',
        agent_type: 'research',
        key_findings: three,
        actionable: true,
        spawnId: 'T002.1',
      })
      expect(linesOf(project).map((line) => JSON.parse(line))).toEqual([shown])
      expect((await project.must('pipeline.manifest.find', { query: 'thre' })).entries).toHaveLength(1)
      const log = await project.must('admin.log', { operation: 'pipeline.manifest.append' })
      expect(log.entries).toMatchObject([{ actor: 'T002.1', taskId: 'T002', after: { entry: answer.id } }])
    }))

  test('[MANI-4] a spawn has one entry: a repeat changes nothing, a further one must revise it', () =>
    withSpawnedTask(withProject, async (project) => {
      const agent = project.as('T002.1')
      const { id } = await agent.must('pipeline.manifest.append', done)
      expect(await agent.must('pipeline.manifest.append', done)).toMatchObject({ id, noChange: true })
      const partial = { status: 'partial' as const, followup: ['Measure memory.'] }
      expect(await agent.call('pipeline.manifest.append', partial)).toMatchObject({
        code: 'entry.twice',
        exit: 6,
        alternatives: [`To correct it, append again with --revises ${id}.`],
      })
      expect(
        await agent.call('pipeline.manifest.append', { ...partial, revises: 'T002-other' }),
      ).toMatchObject({
        code: 'entry.not_found',
      })
      const revised = await agent.must('pipeline.manifest.append', { ...partial, revises: id })
      expect(revised).toMatchObject({ id: `${id}-2`, status: 'partial' })
      expect(await agent.must('pipeline.manifest.append', { ...partial, revises: id })).toMatchObject({
        id: revised.id,
        noChange: true,
      })
      expect(linesOf(project)).toHaveLength(2)
      // The output file has changed, so this is a different entry.
      put(project, `${outputs}/T002-compare-hashing.md`, 'other words')
      expect(await agent.call('pipeline.manifest.append', { ...partial, revises: id })).toMatchObject({
        ok: true,
      })
      expect(await idsOf(project)).toEqual([id, `${id}-2`, `${id}-3`])
    }))

  test('[MANI-4] the next attempt has its own entry, the superseded attempt is refused', () =>
    withSpawnedTask(withProject, async (project) => {
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      await project.as('T002.1').must('pipeline.manifest.append', done)
      await project.must('orchestrate.respawn', { id: 'T002', replace: true, tier: 2 })
      expect(await project.as('T002.1').call('pipeline.manifest.append', done)).toMatchObject({ exit: 35 })
      const named = JSON.stringify({ id: 'T002-compare-hashing', status: 'complete', key_findings: three })
      expect(await project.as('T002.2').call('pipeline.manifest.append', { entry: named })).toMatchObject({
        value: { id: 'T002-compare-hashing-2', spawnId: 'T002.2' },
        warnings: ['the id T002-compare-hashing is taken; the entry is stored as T002-compare-hashing-2'],
      })
    }))

  test('[MANI-1] a person submits for the task’s latest spawn; without a spawn only the id must be free', () =>
    withSpawnedTask(withProject, async (project) => {
      expect(await project.must('pipeline.manifest.append', { ...done, task: 'T002' })).toMatchObject({
        spawnId: 'T002.1',
      })
      put(project, `${outputs}/T003-form.md`)
      const plain = { task: 'T003', status: 'complete' } as const
      const first = await project.must('pipeline.manifest.append', plain)
      expect(first).toMatchObject({ id: 'T003-form', file: 'T003-form.md' })
      expect(first).not.toHaveProperty('spawnId')
      const second = await project.must('pipeline.manifest.append', { ...plain, finding: ['More.'] })
      expect(second.id).toBe('T003-form-2')
      expect(
        await project.call('pipeline.manifest.append', { ...plain, id: 'T003-form', finding: ['x'] }),
      ).toMatchObject({
        code: 'entry.taken',
      })
      expect((await entriesOf(project)).slice(1).map(({ body }) => JSON.parse(body).agent_type)).toEqual([
        'implementation',
        'implementation',
      ])
    }))

  test('[MANI-1] a dry run writes neither row nor line', () =>
    withSpawnedTask(withProject, async (project) => {
      const answer = await project.as('T002.1').call('pipeline.manifest.append', done, { dryRun: true })
      expect(answer).toMatchObject({ ok: true, value: { id: 'T002-compare-hashing' } })
      expect(await entriesOf(project)).toEqual([])
      expect(linesOf(project)).toEqual([])
    }))
})

test('[MANI-1] all problems are reported at once', () =>
  withSpawnedTask(withProject, async (project) => {
    const entry = JSON.stringify({
      id: 'T003-mine',
      status: 'finished',
      title: ['x'],
      date: '2026-02-30',
      key_findings: ['ok', 7],
      linked_tasks: ['T099', 'nonsense'],
      file: 'T002-nowhere.md',
    })
    const answer = await project.as('T002.1').call('pipeline.manifest.append', { entry })
    expect(answer).toMatchObject({ ok: false, code: 'entry.foreign' })
    expect(!answer.ok && answer.problems?.map(({ path }) => path)).toEqual([
      'id',
      'status',
      'title',
      'date',
      'key_findings.1',
      'linked_tasks.1',
      'linked_tasks',
      'file',
    ])
    expect(await entriesOf(project)).toEqual([])
    expect(linesOf(project)).toEqual([])
  }))

test('[MANI-3] a finding of several sentences is a warning', () =>
  withSpawnedTask(withProject, async (project) => {
    const append = (first: string) =>
      project.as('T002.1').call('pipeline.manifest.append', {
        status: 'complete',
        finding: [first, 'Two, e.g. a pair.', 'Three.'],
      })
    expect(await append('One. It is good. It is cheap. Take it.')).toMatchObject({
      ok: true,
      warnings: [expect.stringMatching(/key_findings.0 has several sentences/)],
    })
  }))

test.each([
  ['complete research with two findings', { status: 'complete', finding: ['One.', 'Two.'] }, 'key_findings'],
  ['complete research with eight findings', { status: 'complete', finding: [...'12345678'] }, 'key_findings'],
  ['a partial entry without follow-up', { status: 'partial' }, 'needs_followup'],
  ['a blocked entry without a category', { status: 'blocked', text: 'No schema.' }, 'blocker.category'],
  ['a blocked entry without a text', { status: 'blocked', blocker: 'missing context' }, 'blocker.text'],
  ['an entry without a status', { finding: three }, 'status'],
  [
    'an entry of more than 64 KiB',
    { status: 'partial', followup: Array.from({ length: 40 }, () => 'x'.repeat(1900)) },
    '',
  ],
  ['invalid JSON', { entry: '{"status":' }, 'entry'],
  ['a list', { entry: '[]' }, 'entry'],
] as const)('[MANI-3] refused: %s', (_, input, path) =>
  withSpawnedTask(withProject, async (project) => {
    const answer = await project.as('T002.1').call('pipeline.manifest.append', input as never)
    expect(answer).toMatchObject({ ok: false, code: 'input.invalid', exit: 6, problems: [{ path }] })
  }),
)

test.each([
  ['complete', 'cleo manifest append --status complete --finding "<one sentence>"'],
  ['partial', 'cleo manifest append --status partial --followup "<what is left>" --as T002.1'],
  ['blocked', 'cleo manifest append --status blocked --blocker "missing context" --text "<why>" --as T002.1'],
] as const)(
  '[MANI-3] [OUT-2] what a %s entry is missing is reported with the command that adds it',
  (status, fix) =>
    withSpawnedTask(withProject, async (project) => {
      const agent = project.as('T002.1')
      const answer = await agent.call('pipeline.manifest.append', { status })
      const [first] = (!answer.ok && answer.problems) || []
      expect(first?.fix).toContain(fix)
      const { command, rest } = findCommand(shellWords(first!.fix!).slice(1))
      const { input, problems } = parseArgs(rest, command!)
      expect(problems).toEqual([])
      expect(await agent.call('pipeline.manifest.append', input as never)).toMatchObject({ ok: true })
    }),
)

test('[MANI-3] pretty-printed JSON becomes one line, unknown fields stay, even `__proto__`', () =>
  withSpawnedTask(withProject, async (project) => {
    const entry = `\uFEFF{
      "status": "blocked",
      "blocker": { "category": "Missing-Context", "text": "No schema.", "alternatives": ["ask"] },
      "__proto__": { "polluted": true },
      "confidence": 0.5,
      "spawnId": "T003.7",
      "sha256": "forged"
    }`
    await project.as('T002.1').must('pipeline.manifest.append', { entry })
    const [line, ...more] = linesOf(project)
    expect(more).toEqual([])
    const kept = JSON.parse(line!) as object
    expect(kept).toMatchObject({
      confidence: 0.5,
      spawnId: 'T002.1',
      blocker: { category: 'missing context' },
    })
    expect(Object.hasOwn(kept, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(line).not.toContain('forged')
  }))

test.each([
  ['does not exist', (_: string): void => undefined, 'output.absent'],
  ['is a folder', (path: string): void => void mkdirSync(path), 'output.invalid'],
  ['is a symbolic link', (path: string) => symlinkSync('/etc/hostname', path), 'output.invalid'],
  [
    'has a second name (hard link)',
    (path: string) => {
      writeFileSync(`${path}.other`, 'x')
      linkSync(`${path}.other`, path)
    },
    'output.invalid',
  ],
] as const)('[MANI-1] [MANI-3] refused: a file that %s', (_, make, code) =>
  withSpawnedTask(withProject, async (project) => {
    make(join(project.root, outputs, 'T002-x.md'))
    const answer = await project.as('T002.1').call('pipeline.manifest.append', { ...done, file: 'T002-x.md' })
    expect(answer).toMatchObject({ ok: false, code })
  }),
)

test.each([
  ['0 bytes', (path: string) => writeFileSync(path, ''), 'it is empty'],
  ['only the template', (_: string): void => undefined, 'its Summary is empty'],
] as const)(
  '[MANI-1] [MANI-6] refused: a file that is not filled in, %s, unless the work is blocked',
  (_, make, why) =>
    withSpawnedTask(withProject, async (project) => {
      const agent = project.as('T002.1')
      const path = join(project.root, outputs, 'T002-compare-hashing.md')
      rmSync(path)
      await agent.must('output.new', { id: 'T002' })
      make(path)
      for (const given of [done, { status: 'partial' as const, followup: ['x'] }])
        expect(await agent.call('pipeline.manifest.append', given)).toMatchObject({
          code: 'output.unfilled',
          exit: 6,
          message: `${path} is not filled in: ${why}.`,
          fix: 'cleo output check T002',
        })
      expect(await project.call('output.check', { target: 'T002' })).toMatchObject({
        code: 'content.invalid',
      })
      const blocked = { status: 'blocked', blocker: 'missing context', text: 'No schema.' } as const
      expect(await agent.call('pipeline.manifest.append', blocked)).toMatchObject({ ok: true })
    }),
)

test('[MANI-2] [GATE-1] a line written by hand does not replace a file that is filled in', () =>
  withSpawnedTask(withProject, async (project) => {
    const agent = project.as('T002.1')
    const path = join(project.root, outputs, 'T002-compare-hashing.md')
    rmSync(path)
    await agent.must('output.new', { id: 'T002' })
    await agent.must('focus.set', { id: 'T002' })
    echo(project, line({ id: 'T002-by-hand', status: 'complete', key_findings: three }))
    const message = `${path} is not filled in: its Summary is empty`
    const refused = await agent.call('tasks.complete', { id: 'T002' })
    expect(refused).toMatchObject({ ok: false, code: 'output.missing' })
    expect(!refused.ok && refused.problems).toContainEqual(
      expect.objectContaining({ path: 'output file', message, fix: `cleo output check ${path}` }),
    )
    expect(
      await project.call('orchestrate.receive', {
        id: 'T002',
        message: 'Research complete. See MANIFEST.jsonl for summary.',
      }),
    ).toMatchObject({ ok: false, code: 'output.missing' })
    const [, fact] = (await rulings(project, 'T002'))['BASE-004']!
    expect(fact).toContain('is not filled in: its Summary is empty')
  }))

test.each([
  '../../README.md',
  '/etc/hostname',
  '../../../../../../etc/hostname',
  'MANIFEST.jsonl',
  '.',
  '../.env',
  'a/../../../x.md',
])('[MANI-3] refused: %s is not in an output folder', (file) =>
  withSpawnedTask(withProject, async (project) => {
    put(project, 'README.md')
    const answer = await project.as('T002.1').call('pipeline.manifest.append', { ...done, file })
    expect(answer).toMatchObject({ ok: false, code: 'output.invalid' })
  }),
)

test('[MANI-3] a file path counts from the manifest’s folder or the project; specs and configured roots are allowed', () =>
  withProject(async (project) => {
    put(project, '.cleo/config.json', JSON.stringify({ output: { roots: ['reports'] } }))
    await project.must('tasks.add', { title: 'Form' })
    put(project, 'docs/specs/T001-a.md')
    put(project, 'reports/T001-b.md')
    put(project, `${outputs}/T001-c.md`)
    const kept = async (file: string): Promise<string> => {
      const given = { task: 'T001', status: 'complete', file } as const
      return (await project.must('pipeline.manifest.append', { ...given, finding: [file] })).file
    }
    expect(await kept('docs/specs/T001-a.md')).toBe('../../docs/specs/T001-a.md')
    expect(await kept('../../docs/specs/T001-a.md')).toBe('../../docs/specs/T001-a.md')
    expect(await kept('reports/T001-b.md')).toBe('../../reports/T001-b.md')
    expect(await kept(`${outputs}/T001-c.md`)).toBe('T001-c.md')
    expect(await kept(`${project.root}/${outputs}/T001-c.md`)).toBe('T001-c.md')
  }))

test('[MANI-1] several output files are refused by name, one in a category is found', () =>
  withSpawnedTask(withProject, async (project) => {
    put(project, `${outputs}/research/T003-one.md`)
    const plain = { task: 'T003', status: 'complete' } as const
    expect(await project.call('pipeline.manifest.append', plain, { dryRun: true })).toMatchObject({
      value: { file: 'research/T003-one.md' },
    })
    put(project, `${outputs}/T003-two.md`)
    expect(await project.call('pipeline.manifest.append', plain)).toMatchObject({
      code: 'output.several',
      message: 'T003 has several output files: T003-two.md, research/T003-one.md.',
    })
  }))

test('[MANI-1] when the line cannot be written, no entry is stored', () =>
  withSpawnedTask(withProject, async (project) => {
    mkdirSync(manifestOf(project))
    const answer = await project.as('T002.1').call('pipeline.manifest.append', done)
    expect(answer).toMatchObject({ ok: false, code: 'file.unwritable', exit: 3 })
    expect(await entriesOf(project)).toEqual([])
  }))

test('[MANI-2] a manifest that ends in the middle of a line gets a newline first, and is never rewritten', () =>
  withSpawnedTask(withProject, async (project) => {
    echo(project, '{"id":"T003-torn","sta')
    chmodSync(manifestOf(project), 0o644)
    await project.as('T002.1').must('pipeline.manifest.append', done)
    expect(linesOf(project)[0]).toBe('{"id":"T003-torn","sta')
    expect(linesOf(project)).toHaveLength(2)
    expect(await project.must('pipeline.manifest.sync', {})).toEqual({ taken: 0, quarantined: 1, written: 0 })
    expect(linesOf(project)).toHaveLength(2)
  }))
