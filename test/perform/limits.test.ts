import { expect, test } from 'vitest'
import { jsonExtent } from '../../src/surface/cli/standard-input.ts'
import { onEveryStore, type TestProject } from '../support/project.ts'

const names = (n: number, prefix: string) => Array.from({ length: n }, (_, i) => `${prefix}${i + 1}`)

/** Returns the answer of a call, and how many transactions the call began. */
const counted = async (project: TestProject, call: () => Promise<{ ok: boolean }>) => {
  const store = await project.store()
  let begun = 0
  const { tx } = store
  store.tx = (work) => {
    begun++
    return tx(work)
  }
  try {
    const answer = (await call()) as { ok: boolean; exit?: number; problems?: { path: string }[] }
    return { ...answer, begun }
  } finally {
    store.tx = tx
  }
}

onEveryStore((withProject) => {
  test('[PROJ-10] a limit is checked before the transaction that it protects', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Form' })
      const { call } = project
      const calls: [string, () => Promise<{ ok: boolean }>][] = [
        ['depends', () => call('tasks.add', { title: 'x', depends: names(120_000, 'T') })],
        ['batch.0.depends', () => call('tasks.add', { batch: [{ title: 'x', depends: names(201, 'T') }] })],
        ['batch.0.labels', () => call('tasks.add', { batch: [{ title: 'x', labels: names(51, 'l') }] })],
        [
          'batch.1.files',
          () => call('tasks.add', { batch: [{ title: 'x' }, { title: 'x', files: names(201, 'f') }] }),
        ],
        ['acceptance', () => call('tasks.add', { title: 'x', acceptance: names(101, 'c') })],
        [
          'batch.3000.title',
          () =>
            call('tasks.add', {
              batch: names(3001, 't').map((title, i) => ({ title: i < 3000 ? title : 'x'.repeat(201) })),
            }),
        ],
        ['text', () => call('tasks.note', { id: 'T001', text: 'x'.repeat(16_385) })],
        ['text', () => call('memory.observe', { text: 'x'.repeat(16_385) })],
        ['note', () => call('session.end', { note: 'x'.repeat(16_385) })],
        ['message', () => call('orchestrate.receive', { id: 'T001', message: 'x'.repeat(1_048_577) })],
        ['entry', () => call('pipeline.manifest.append', { entry: `"${'x'.repeat(262_144)}"` })],
        [
          'entry',
          () => call('pipeline.manifest.append', { entry: `${'{"a":'.repeat(40)}1${'}'.repeat(40)}` }),
        ],
        ['option', () => call('consensus.open', { id: 'T001', question: 'which', option: names(21, 'o') })],
        ['text', () => call('inbox.answer', { id: 'T001', text: 'x'.repeat(3001) })],
        [
          'evidence',
          () => call('verify.gate', { id: 'T001', gate: 'implemented', evidence: 'x'.repeat(16_385) }),
        ],
      ]
      for (const [path, refused] of calls) {
        const { ok, exit, problems = [], begun } = await counted(project, refused)
        expect({ path, ok, exit, begun }).toEqual({ path, ok: false, exit: 6, begun: 0 })
        expect(problems.map((problem) => problem.path)).toContain(path)
      }
      const accepted = await counted(project, () => call('tasks.note', { id: 'T001', text: 'x' }))
      expect(accepted).toMatchObject({ ok: true, begun: 1 })
    }))

  test('[PROJ-10] what --add- would make too long is counted with what is there', () =>
    withProject(async ({ must, call }) => {
      await must('tasks.add', { title: 'Form', labels: names(50, 'l'), acceptance: names(100, 'c') })
      const refused = async (input: object) => {
        const answer = await call('tasks.update', { id: 'T001', ...input } as never)
        return answer.ok ? 'accepted' : answer.message
      }
      expect(await refused({ addLabels: ['one-more'] })).toBe('labels: would have 51 items; the limit is 50')
      expect(await refused({ addAcceptance: ['one more'] })).toContain('acceptance: would have 101 items')
      expect(await refused({ description: '- [ ] one more' })).toContain('acceptance: would have 101 items')
      expect(await refused({ description: '- [ ] c1' })).toBe('accepted')
    }))

  test('[PROJ-10] an import has the limits of add, and a document of its own project stays importable', () =>
    withProject(async ({ must, call }) => {
      const task = (fields: object) =>
        JSON.stringify({
          record: 'task',
          id: 'T001',
          title: 'x',
          type: 'task',
          status: 'pending',
          createdAt: '2026-01-01T00:00:00.000Z',
          updatedAt: '2026-01-01T00:00:00.000Z',
          origin: 'ada',
          ...fields,
        })
      const problemsOf = async (line: string) => {
        const answer = await call('admin.import', { file: `{"cleo":"export","version":1}\n${line}\n` })
        return answer.ok ? [] : (answer.problems ?? []).map(({ path, message }) => `${path}: ${message}`)
      }
      expect(await problemsOf(task({ depends: names(120_000, 'T00') }))).toEqual([
        'line 2, depends: is limited to 200 items',
      ])
      expect(await problemsOf(task({ labels: names(51, 'l') }))).toContain(
        'line 2, labels: is limited to 50 items',
      )
      const deep = `{"a":${'['.repeat(200)}${']'.repeat(200)}}`
      const audit = `{"record":"audit","seq":1,"at":"2026-01-01T00:00:00.000Z","actor":"ada","operation":"x","after":${deep}}`
      expect(await problemsOf(audit)).toEqual(['line 2, after: is nested more than 100 levels deep'])
      await must('tasks.add', { title: 'Form', labels: names(50, 'l'), files: names(200, 'f') })
      const { document } = (await must('admin.export', {})) as { document: string }
      expect(await must('admin.import', { file: document })).toMatchObject({ imported: 1 })
    }))
})

test('[PROJ-10] JSON is measured without parsing it', () => {
  const most = { depth: 5, items: 10 }
  expect(jsonExtent('[{"a":[1,2]},"]]]],,,,\\"[[[",{}]', most)).toEqual({ depth: 3, items: 3 })
  expect(jsonExtent('[["\\\\",[]]]', most)).toEqual({ depth: 3, items: 1 })
  expect(jsonExtent('['.repeat(100), most).depth).toBe(6)
  expect(jsonExtent(`[${'1,'.repeat(100)}1]`, most).items).toBe(11)
})
