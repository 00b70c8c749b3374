import { execFileSync } from 'node:child_process'
import {
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
  reasonsOf,
  three,
  withSpawnedTask,
} from '../support/manifest-project.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'
import fc from '../support/properties.ts'
import { joined, segment } from './damage.ts'

const file = 'T002-compare-hashing.md'
const whole = {
  file,
  title: 'x',
  date: '2026-01-02',
  status: 'complete',
  agent_type: 'analysis',
  key_findings: three,
}
const sync = (project: TestProject) => project.call('pipeline.manifest.sync', {})

onEveryStore((withProject) => {
  test('[MANI-2] [MANI-4] a line of another database from before the spawn is not the work of the spawn', () =>
    withSpawnedTask(withProject, async (project) => {
      const agent = project.as('T002.1')
      await agent.must('focus.set', { id: 'T002' })
      const appended = (at: number) => ({ spawnId: 'T002.1', appendedAt: new Date(at).toISOString() })
      const before = Date.parse('2020-01-02T03:04:05Z')
      echo(project, line({ id: 'T002-pulled', ...whole, ...appended(before) }))
      expect(await sync(project)).toMatchObject({
        warnings: [
          'T002-pulled: was appended before T002.1 was spawned, so it is not the work of that spawn',
        ],
      })
      expect(await entriesOf(project)).toMatchObject([{ id: 'T002-pulled', spawn: null }])
      expect(await agent.call('tasks.complete', { id: 'T002' })).toMatchObject({ code: 'manifest.missing' })
      // After a crash, CLEO reads its own line again. This line is younger than the spawn.
      echo(project, line({ id: 'T002-own', ...whole, ...appended(Date.parse('2100-01-02T03:04:05Z')) }))
      await sync(project)
      expect((await entriesOf(project)).at(-1)).toMatchObject({ id: 'T002-own', spawn: 'T002.1' })
    }))

  test('[MANI-2] lines written by hand are ingested once and belong to the latest spawn', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, line({ id: 'T002-by-hand', ...whole, linked_tasks: ['T001', 'T999'], colour: 'blue' }))
      echo(project, line({ id: 'T003-other', ...whole, linked_tasks: ['T003'] }))
      const answer = await sync(project)
      expect(answer).toMatchObject({
        value: { taken: 2, quarantined: 0, written: 0 },
        warnings: ['T002-by-hand: linked_tasks: there is no task T999; left out'],
      })
      const [first, second] = await entriesOf(project)
      expect(first).toMatchObject({ id: 'T002-by-hand', spawn: 'T002.1', place: '', status: 'complete' })
      expect(JSON.parse(first!.body)).toMatchObject({
        colour: 'blue',
        linked_tasks: ['T001'],
        sha256: first!.sha256,
        spawnId: 'T002.1',
      })
      expect(second).toMatchObject({ id: 'T003-other', spawn: null })
      expect(await sync(project)).toMatchObject({ value: { noChange: true } })
      const log = await project.must('admin.log', { operation: 'pipeline.manifest.sync' })
      expect(log.entries).toHaveLength(2)
    }))

  test('[MANI-2] missing fields are filled in with a warning; a line without a status goes to quarantine', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, line({ id: 'T002-partial', status: 'partial', needs_followup: 'memory' }))
      echo(project, line({ id: 'T003-blocked', status: 'blocked', blocker: 'no schema' }))
      echo(project, line({ id: 'T003-silent', file }))
      const answer = await sync(project)
      expect(answer).toMatchObject({ value: { taken: 2, quarantined: 1 } })
      expect(answer.ok && answer.warnings).toContain(
        'T002-partial: title is missing; using "Compare hashing"',
      )
      const [partial, blocked] = (await entriesOf(project)).map(({ body }) => JSON.parse(body))
      expect(partial).toMatchObject({ file, agent_type: 'research', needs_followup: ['memory'] })
      expect(blocked).toMatchObject({
        file: 'T003-form.md',
        blocker: { category: 'unspecified', text: 'no schema' },
      })
      // The output file does not exist. The entry is kept, so that `complete` can report what is missing.
      expect((await entriesOf(project))[1]).toMatchObject({ sha256: null })
      expect(await reasonsOf(project)).toEqual([
        'status is missing: it must be one of complete, partial, blocked',
      ])
    }))

  test('[MANI-2] a line without a file means the file with its name, not the template of focus set', () =>
    withSpawnedTask(withProject, async (project) => {
      await project.as('T002.1').must('focus.set', { id: 'T002' })
      put(project, `${outputs}/T002-partial.md`)
      echo(project, line({ id: 'T002-partial', status: 'partial', needs_followup: ['memory'] }))
      expect(await sync(project)).toMatchObject({ value: { taken: 1 } })
      const [entry] = await entriesOf(project)
      expect(JSON.parse(entry!.body)).toMatchObject({ file: 'T002-partial.md' })
    }))

  test('[MANI-4] a second line for a spawn must revise the first, or goes to quarantine', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, line({ id: 'T002-first', ...whole }))
      echo(project, line({ id: 'T002-again', ...whole }))
      echo(project, line({ id: 'T002-again', ...whole, revises: 'T003-nothing' }))
      echo(project, line({ id: 'T002-first', ...whole, revises: 'T002-first' }))
      expect(await sync(project)).toMatchObject({ value: { taken: 2, quarantined: 2 } })
      expect(await idsOf(project)).toEqual(['T002-first', 'T002-first-2'])
      expect(await reasonsOf(project)).toEqual([
        'revises: T002 has no entry T003-nothing',
        'T002.1 already has the entry T002-first; another one must name it in "revises"',
      ])
    }))

  test('[MANI-2] [MANI-4] a line in the name of a spawn does not stop it from submitting, once', () =>
    withSpawnedTask(withProject, async (project) => {
      echo(project, line({ id: 'T002-forged', ...whole, key_findings: ['Lies.', 'Lies.', 'Lies.'] }))
      await sync(project)
      expect(await project.call('pipeline.manifest.append', { ...done, task: 'T002' })).toMatchObject({
        code: 'entry.twice',
      })
      const agent = project.as('T002.1')
      expect(await agent.call('pipeline.manifest.append', done)).toMatchObject({
        value: { id: 'T002-compare-hashing' },
        warnings: ['T002-compare-hashing replaces T002-forged, which was read from the manifest file'],
      })
      expect(await agent.must('pipeline.manifest.append', done)).toMatchObject({ noChange: true })
      expect(await project.must('pipeline.manifest.show', { id: 'T002' })).toMatchObject({
        key_findings: three,
        revises: 'T002-forged',
      })
      const other = { ...done, title: 'Another one' }
      expect(await agent.call('pipeline.manifest.append', other)).toMatchObject({ code: 'entry.twice' })
      expect(await project.must('pipeline.manifest.show', { id: 'T002-forged' })).toMatchObject({
        origin: 'line',
      })
      const { entries } = await project.must('pipeline.manifest.list', {})
      expect(entries.map(({ id, origin }) => [id, origin])).toEqual([
        ['T002-compare-hashing', undefined],
        ['T002-forged', 'line'],
      ])
    }))

  test('[MANI-2] [MANI-4] an entry that the spawn repeats by command counts as submitted', () =>
    withSpawnedTask(withProject, async (project) => {
      const said = { id: 'T002-mine', title: 'Compare hashing', status: 'complete', key_findings: three }
      echo(project, line({ ...said, file, actionable: true, agent_type: 'research' }))
      await sync(project)
      const append = { ...done, id: 'T002-mine' }
      expect(await project.as('T002.1').must('pipeline.manifest.append', append)).toMatchObject({
        noChange: true,
      })
      echo(project, line({ id: 'T002-lies', ...whole, revises: 'T002-mine' }))
      expect(await sync(project)).toMatchObject({ value: { taken: 0, quarantined: 1 } })
      expect(await idsOf(project)).toEqual(['T002-mine'])
    }))

  test('[MANI-2] a line changes neither an entry submitted by command nor a closed task', () =>
    withSpawnedTask(withProject, async (project) => {
      await project.as('T002.1').must('pipeline.manifest.append', done)
      echo(project, line({ id: 'T002-lies', ...whole, revises: 'T002-compare-hashing' }))
      echo(project, line({ id: 'T003-old', ...whole }))
      expect(await sync(project)).toMatchObject({ value: { taken: 1, quarantined: 1 } })
      put(project, `${outputs}/T003-form.md`)
      await project.must('tasks.cancel', { id: 'T002', reason: 'not needed' })
      await project.must('tasks.complete', { id: 'T003' })
      echo(project, line({ id: 'T003-lies', ...whole, revises: 'T003-old' }))
      // A line that revises nothing is valid, because manifests of old projects have several entries for a task.
      echo(project, line({ id: 'T003-older', ...whole }))
      echo(project, line({ id: 'T002-late', ...whole, spawnId: 'T002.1' }))
      await project.must('tasks.add', { title: 'By hand', description: 'x' })
      put(project, `${outputs}/T004-by-hand.md`)
      await project.must('pipeline.manifest.append', { task: 'T004', status: 'complete' })
      await project.must('tasks.complete', { id: 'T004' })
      echo(project, line({ id: 'T004-lies', ...whole }))
      await sync(project)
      expect(await reasonsOf(project)).toEqual([
        'T004 is done, and its entry was submitted by command',
        'T002 is cancelled, and its entry was submitted by command',
        'revises: T003 is done; a manifest line cannot revise its entry',
        'revises: T002-compare-hashing was submitted by command; a manifest line cannot revise it',
      ])
      expect(await idsOf(project)).toEqual(['T002-compare-hashing', 'T003-old', 'T003-older', 'T004-by-hand'])
    }))

  test('[MANI-2] a line sets no status, no gate, no other spawn and no file outside the output folders', () =>
    withSpawnedTask(withProject, async (project) => {
      put(project, 'README.md')
      echo(project, line({ id: 'T099-nobody', ...whole }))
      echo(project, line({ id: 'T003-x', ...whole, spawnId: 'T002.1' }))
      echo(project, line({ id: 'T003-x', ...whole, file: '../../README.md' }))
      echo(project, line({ id: 'T003-x', ...whole, file: '/etc/hostname' }))
      echo(project, line({ id: 'T003-x', ...whole, file: 'a\0b.md' }))
      echo(project, line({ id: 'T003-x', ...whole, file: 'a\nb.md' }))
      symlinkSync('/etc/hostname', join(project.root, outputs, 'T003-link.md'))
      echo(project, line({ id: 'T003-x', ...whole, file: 'T003-link.md' }))
      echo(
        project,
        line({ id: 'T002-x', ...whole, spawnId: 'T002.9', sha256: 'x', gates: { testsPassed: true } }),
      )
      expect(await sync(project)).toMatchObject({
        value: { taken: 1, quarantined: 7 },
        warnings: expect.arrayContaining(['T002-x: there is no spawn T002.9']),
      })
      expect(await entriesOf(project)).toMatchObject([{ id: 'T002-x', spawn: 'T002.1' }])
      const { status } = await project.must('tasks.show', { id: 'T002' })
      expect(status).toBe('pending')
    }))

  test('[MANI-2] a torn last line waits until it is whole', () =>
    withSpawnedTask(withProject, async (project) => {
      const text = line({ id: 'T003-slow', ...whole })
      echo(project, text.slice(0, 40))
      expect(await sync(project)).toMatchObject({ value: { noChange: true } })
      echo(project, text.slice(40, -1))
      expect(await sync(project)).toMatchObject({ value: { taken: 1 } })
      echo(project, '\n')
      echo(project, JSON.stringify({ id: 'T003-next', ...whole }, null, 2).slice(0, 60))
      expect(await sync(project)).toMatchObject({ value: { noChange: true } })
      echo(project, JSON.stringify({ id: 'T003-next', ...whole }, null, 2).slice(60))
      expect(await sync(project)).toMatchObject({ value: { taken: 1 } })
      expect(await reasonsOf(project)).toEqual([])
    }))

  test('[MANI-2] a manifest that was cut, replaced or removed is read again, and stored lines are not stored twice', () =>
    withSpawnedTask(withProject, async (project) => {
      await project.as('T002.1').must('pipeline.manifest.append', done)
      for (const id of ['T003-a', 'T003-b', 'T003-c']) echo(project, line({ id, ...whole }))
      echo(project, 'not an entry\n')
      expect(await sync(project)).toMatchObject({ value: { taken: 3, quarantined: 1 } })
      const before = await idsOf(project)
      const path = manifestOf(project)
      const text = readFileSync(path, 'utf8')

      // Git can check out an earlier version of the file, or a version with other lines before ours.
      const [first, ...others] = text.split('\n')
      writeFileSync(`${path}.new`, `${line({ id: 'T003-d', ...whole })}${others.join('\n')}${first}\n`)
      renameSync(`${path}.new`, path)
      expect(await sync(project)).toMatchObject({ value: { taken: 1, quarantined: 0, written: 0 } })
      expect(await idsOf(project)).toEqual([...before, 'T003-d'])

      truncateSync(path, 100)
      expect(await sync(project)).toMatchObject({ value: { taken: 0, written: 5 } })
      rmSync(path)
      expect(await sync(project)).toMatchObject({ value: { taken: 0, written: 5 } })
      expect(
        linesOf(project)
          .map((each) => JSON.parse(each).id)
          .sort(),
      ).toEqual([...before, 'T003-d'].sort())
      expect(await sync(project)).toMatchObject({ value: { noChange: true } })
      expect(await idsOf(project)).toEqual([...before, 'T003-d'])
    }))

  test('[MANI-2] the same entry written differently is the same entry', () =>
    withSpawnedTask(withProject, async (project) => {
      const fields = { id: 'T003-same', ...whole }
      echo(project, line(fields))
      echo(project, line(Object.fromEntries(Object.entries(fields).reverse())))
      echo(project, `${JSON.stringify(fields, null, 1)}\n`)
      expect(await sync(project)).toMatchObject({ value: { taken: 1, quarantined: 0 } })
    }))
})

const git = (cwd: string, ...args: string[]): void => {
  const env = { PATH: process.env['PATH'] ?? '', HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null' }
  const who = ['-c', 'user.name=ada', '-c', 'user.email=ada@example.org']
  execFileSync('git', [...who, ...args], { cwd, env, stdio: 'ignore' })
}

test('[MANI-2] lines in worktrees are ingested, and copies of stored lines are skipped', () =>
  withSpawnedTask(withProject, async (project) => {
    await project.as('T002.1').must('pipeline.manifest.append', done)
    git(project.root, 'init')
    git(project.root, 'add', outputs)
    git(project.root, 'commit', '-m', 'x')
    git(project.root, 'worktree', 'add', '../work', '-b', 'work')
    const work = join(project.root, '..', 'work')
    try {
      writeFileSync(join(work, outputs, 'T003-form.md'), 'words')
      const own = { ...whole, file: 'T003-form.md' }
      writeFileSync(manifestOf({ root: work }), line({ id: 'T003-form', ...own }), { flag: 'a' })
      expect(await sync(project)).toMatchObject({ value: { taken: 1, quarantined: 0, written: 0 } })
      expect((await entriesOf(project))[1]).toMatchObject({
        id: 'T003-form',
        place: work,
        sha256: expect.any(String),
      })
      git(project.root, 'worktree', 'remove', '--force', work)
      // The line is gone with the worktree, so CLEO writes it to the project's own manifest.
      expect(await sync(project)).toMatchObject({ value: { written: 1 } })
      expect(linesOf(project)).toHaveLength(2)
    } finally {
      rmSync(work, { recursive: true, force: true })
    }
  }))

test('[MANI-2] a dry run neither ingests nor loses a line', () =>
  withSpawnedTask(withProject, async (project) => {
    echo(project, line({ id: 'T003-a', ...whole }))
    expect(await project.call('pipeline.manifest.sync', {}, { dryRun: true })).toMatchObject({
      value: { taken: 0 },
      warnings: [`${outputs}/MANIFEST.jsonl has lines that are not ingested yet`],
    })
    expect(await sync(project)).toMatchObject({ value: { taken: 1 } })
  }))

test('[MANI-2] a manifest that is a symbolic link or a pipe is not read, and stops no other operation', () =>
  withSpawnedTask(withProject, async (project) => {
    symlinkSync('/etc/passwd', manifestOf(project))
    expect(await project.call('tasks.complete', { id: 'T003' })).toMatchObject({ ok: true })
    expect(await sync(project)).toMatchObject({ code: 'path.outside', exit: 8 })
    rmSync(manifestOf(project))
    execFileSync('mkfifo', [manifestOf(project)])
    expect(await project.call('tasks.reopen', { id: 'T003', reason: 'x' })).toMatchObject({ ok: true })
    expect(await project.call('tasks.complete', { id: 'T003' })).toMatchObject({ ok: true })
    expect(await reasonsOf(project)).toEqual([])
  }))

test('[MANI-2] random damage: every good entry is stored, and a second sync changes nothing', () =>
  withProject(async (project) => {
    await project.must('tasks.add', { title: 'One' })
    put(project, `${outputs}/T001-x.md`)
    const state = async () => {
      const db = await project.store()
      const rows = await Promise.all(
        ['entries', 'quarantine', 'links'].map((table) => db.all(`SELECT * FROM ${table}`)),
      )
      return JSON.stringify(rows)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(segment, { minLength: 1, maxLength: 6 }), async (segments) => {
        writeFileSync(
          manifestOf(project),
          joined(...segments.map(({ bytes }) => bytes), new TextEncoder().encode('.\n')),
        )
        await project.must('pipeline.manifest.sync', {})
        const ids = new Set(await idsOf(project))
        const good = segments.flatMap(({ good }) => good)
        const missing = good.filter((entry) => !ids.has(entry['id'] as string) && isValid(entry))
        expect(missing).toEqual([])
        const before = await state()
        await (await project.store()).run('DELETE FROM manifest_files')
        utimesSync(manifestOf(project), 1, 1)
        expect(await project.must('pipeline.manifest.sync', {})).toMatchObject({
          taken: 0,
          quarantined: 0,
          written: 0,
        })
        expect(await state()).toBe(before)
      }),
      { numRuns: 80 },
    )
  }))

/**
 * Whether the manifest accepts an entry. The generator makes titles from any text, but a title must be one line of
 * valid Unicode.
 */
const isValid = ({ title, blocker }: Record<string, unknown>): boolean =>
  !(title as string).includes('\n') && (title as string).isWellFormed() && blocker === undefined
