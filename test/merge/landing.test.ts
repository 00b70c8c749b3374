import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { inGit, merged, spawned } from '../support/landing.ts'
import { onSqlite, type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, put } from '../support/subagent.ts'

const head = (root: string, name = 'HEAD') => git(root, 'rev-parse', name)

/** Leaves a landing as a killed process does: recorded, with nothing else done. */
const begun = async (project: TestProject) => {
  const { root } = project
  await addTask(project, { title: 'Later' })
  await merged(project, { 'src/form.ts': 'form\n', 'src/a.ts': 'changed\n', 'src/list.ts': 'list\n' })
  const [from, to] = [head(root), head(root, 'cleo/T001')]
  const onto = { branch: 'main', from, to, folder: root }
  const landing = { was: to, tip: to, onto, tasks: ['T003'], tags: [{ name: 'v1', task: 'T003' }] }
  const store = await project.store()
  await store.run("UPDATE integrations SET landing = ? WHERE epic = 'T001'", JSON.stringify(landing))
  writeFileSync(join(root, '.git/index.lock'), 'cleo land\n')
  return { from, to, store }
}

const isLanded = async (project: TestProject): Promise<boolean> => {
  const store = await project.store()
  const row = await store.get<{ at: number | null }>("SELECT landed_at AS at FROM tasks WHERE id = 'T003'")
  return row!.at !== null
}

onSqlite((withProject) => {
  describe('[TREE-7] a landing whose process was killed', () => {
    const inRepository = inGit(withProject)

    test('before the branch moved is undone by the next command', () =>
      inRepository(async (project) => {
        const { root } = project
        const { from } = await begun(project)
        await spawned(project, { title: 'Next' })
        expect(head(root)).toBe(from)
        expect(existsSync(join(root, '.git/index.lock'))).toBe(false)
        expect(await isLanded(project)).toBe(false)
        expect(await project.must('worktree.land', { epic: 'T001' })).toMatchObject({ how: 'fast-forward' })
      }))

    for (const [name, files] of [
      ['before any file changed', {}],
      ['among its files', { 'src/form.ts': 'form\n', 'src/a.ts': undefined }],
      ['after its files', { 'src/form.ts': 'form\n', 'src/a.ts': 'changed\n', 'src/list.ts': 'list\n' }],
    ] as const)
      test(`after the branch moved, ${name}, is finished by the next command`, () =>
        inRepository(async (project) => {
          const { root } = project
          const { from, to } = await begun(project)
          git(root, 'update-ref', 'refs/heads/main', to, from)
          for (const [path, text] of Object.entries(files))
            if (text === undefined) rmSync(join(root, path))
            else put(root, { [path]: text })
          await spawned(project, { title: 'Next' })
          expect(git(root, 'status', '--porcelain', 'src')).toBe('')
          expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('changed\n')
          expect(head(root)).toBe(to)
          expect(head(root, 'v1^{commit}')).toBe(to)
          expect(await isLanded(project)).toBe(true)
          expect(await project.must('worktree.land', { epic: 'T001' })).toMatchObject({ noChange: true })
        }))

    test('and whose files were edited meanwhile keeps the edit', () =>
      inRepository(async (project) => {
        const { root } = project
        const { from, to } = await begun(project)
        git(root, 'update-ref', 'refs/heads/main', to, from)
        put(root, { 'src/a.ts': 'my own edit\n' })
        await spawned(project, { title: 'Next' })
        expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('my own edit\n')
        expect(git(root, 'status', '--porcelain', 'src')).toBe('M src/a.ts')
        expect(await isLanded(project)).toBe(true)
      }))
  })
})

test('[TREE-7] an output file that the project tracks is replaced, and the manifest keeps its lines', () =>
  inGit(withProject)(async (project) => {
    const { root } = project
    commit(root, 'Track outputs', { 'claudedocs/agent-outputs/MANIFEST.jsonl': '' })
    const { task, spawn, folder } = await spawned(project)
    const agent = project.as(spawn).from(folder)
    await agent.must('focus.set', { id: task })
    const { path } = await agent.must('output.new', { id: task })
    writeFileSync(path, '# Work\n\n## Summary\n\nIt is done.\n')
    commit(folder, 'Write', { 'src/form.ts': 'form\n' })
    const finding = ['One.', 'Two.', 'Three.']
    await agent.must('tasks.finish', { id: task, finding, noTests: 'A test.' })
    await project.must('orchestrate.receive', { id: task })
    const manifest = readFileSync(join(root, 'claudedocs/agent-outputs/MANIFEST.jsonl'), 'utf8')
    expect(manifest).toMatch(/One\./)
    const [output] = git(root, 'ls-files', '--others', 'claudedocs').split('\n')
    await project.must('worktree.land', { epic: 'T001' })
    expect(git(root, 'ls-files', output!)).toBe(output)
    expect(git(root, 'status', '--porcelain', output!)).toBe('')
    expect(readFileSync(join(root, 'claudedocs/agent-outputs/MANIFEST.jsonl'), 'utf8')).toBe(manifest)
  }))
