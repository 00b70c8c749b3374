import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeTexts } from '../../src/kernel/merge-texts.ts'
import { executable } from '../support/cleo.ts'
import { noClient } from '../support/no-client.ts'
import { onEveryStore, type TestProject, withProject } from '../support/project.ts'

const documentOf = async ({ must }: TestProject, id: string): Promise<string> =>
  ((await must('tasks.edit', { id })) as { document: string }).document

onEveryStore((withProject) => {
  test('[OPS-1] the document of a task, saved as it is, changes nothing; each field can be changed', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'epic', type: 'epic' })
      await must('tasks.add', {
        title: 'two\nlines',
        parent: 'T001',
        description: '# Heading\n\n- [ ] in the text\n# not a comment',
        acceptance: ['given'],
        files: ['a,b.ts', 'c.ts'],
      })
      const document = await documentOf(project, 'T002')
      expect(await must('tasks.edit', { id: 'T002', text: document })).toMatchObject({ noChange: true })
      const text = document
        .replace(/^title:.*$/m, 'title: renamed')
        .replace(/^parent:.*$/m, 'parent:')
        .replace('- [ ] given\n', '- [ ] given\n- [x] another\n')
        .replace('- c.ts', '- c.ts\n- d.ts')
        .replaceAll('\n', '\r\n')
      expect(await must('tasks.edit', { id: 'T002', text, base: document })).toMatchObject({
        changed: ['title', 'parent', 'files', 'acceptance'],
      })
    }))

  test('[OPS-1] an emptied stage, and update --stage none, remove the stage', () =>
    withProject(async (project) => {
      const { must } = project
      await must('tasks.add', { title: 'one', stage: 'research' })
      const text = (await documentOf(project, 'T001')).replace('stage: research', 'stage:')
      expect(await must('tasks.edit', { id: 'T001', text })).toMatchObject({ changed: ['stage'] })
      expect(await must('tasks.show', { id: 'T001' })).not.toHaveProperty('stage')
      await must('tasks.undo', {})
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ stage: 'research' })
      await must('tasks.update', { id: 'T001', stage: 'none' })
      expect(await must('tasks.show', { id: 'T001' })).not.toHaveProperty('stage')
    }))

  test('[OPS-1] a text is stored only over the version that it was made from', () =>
    withProject(async (project) => {
      const { must, call, as } = project
      await must('tasks.add', { title: 'one', priority: 'low' })
      const base = await documentOf(project, 'T001')
      const text = base.replace('title: one', 'title: mine')
      await as('bo').must('tasks.note', { id: 'T001', text: 'a note is no change' })
      await as('bo').must('tasks.update', { id: 'T001', size: 'large' })
      expect(await call('tasks.edit', { id: 'T001', text, base })).toMatchObject({
        code: 'edit.conflict',
        exit: 21,
        message: 'While you edited T001, bo changed these fields: size. Your edit is not saved.',
      })
      expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ title: 'one', size: 'large' })
      const now = await documentOf(project, 'T001')
      const merged = mergeTexts(base, text, now)
      expect(merged.conflicts).toBe(0)
      expect(await must('tasks.edit', { id: 'T001', text: merged.text, base: now })).toMatchObject({
        changed: ['title'],
      })
    }))

  test('[OPS-1] [TASK-8] all problems of a text are named at once, at their lines', () =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'one' })
      const base = await documentOf(project, 'T001')
      const text = base
        .replace('title: one', 'titel: two')
        .replace('depends:', 'depends: T099')
        .replace('size: medium', 'size: huge')
        .replace('priority: medium', 'priority:')
      const refused = await project.call('tasks.edit', { id: 'T001', text, base })
      const lines = text.split('\n')
      const at = refused.ok ? [] : refused.problems!.map(({ path }) => lines[Number(path.slice(5)) - 1])
      expect(at.toSorted()).toEqual(['depends: T099', 'priority:', 'size: huge', 'titel: two'])
    }))
})

test('[OPS-1] changes of different lines are merged, of the same lines kept between marks', () => {
  const base = 'a\nb\nc\nd\n'
  expect(mergeTexts(base, 'A\nb\nc\nd\n', 'a\nB\nc\nd\ne\n')).toEqual({
    text: 'A\nB\nc\nd\ne\n',
    conflicts: 0,
  })
  expect(mergeTexts(base, base, 'a\n')).toEqual({ text: 'a\n', conflicts: 0 })
  expect(mergeTexts(base, 'x\nb\nc\nd\n', 'x\nb\nc\nd\n')).toEqual({ text: 'x\nb\nc\nd\n', conflicts: 0 })
  expect(mergeTexts(base, 'a\nmine\nc\nd\n', 'a\ntheirs\nc\nd\n').text).toBe(
    'a\n<<<<<<< yours\nmine\n=======\ntheirs\n>>>>>>> theirs\nc\nd\n',
  )
})

/** Runs `cleo edit` with a script as the editor. In the script, `$CLEO` is the built program. */
const edited = (root: string, script: string): { status: number | null; text: string } => {
  writeFileSync(join(root, 'editor.sh'), script)
  const [program, ...args] = executable.command
  const ran = spawnSync(program!, [...args, 'edit', 'T001'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...noClient,
      CLEO: program,
      EDITOR: `sh ${root}/editor.sh`,
      USER: 'ada',
      HOME: `${root}/.home`,
    },
  })
  return { status: ran.status, text: ran.stdout + ran.stderr }
}

test('[OPS-1] who is overtaken in the editor gets both changes to save, or the lines to choose from', () =>
  withProject(async ({ must, root }) => {
    await must('tasks.add', { title: 'one' })
    const overtaken = (change: string) =>
      `if grep -q ✗ "$1"; then cp "$1" ${root}/second; sed -i -e '/<<<<<<</d' -e '/=======/,/>>>>>>>/d' "$1"; exit 0; fi
sed -i 's/^title:.*/title: mine/' "$1"; "$CLEO" update T001 ${change} --as bo --quiet`
    expect(edited(root, overtaken('--priority high'))).toMatchObject({ status: 0 })
    expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ title: 'mine', priority: 'high' })
    expect(readFileSync(join(root, 'second'), 'utf8')).toContain(
      'While you edited T001, bo changed these fields: priority.',
    )
    await must('tasks.update', { id: 'T001', title: 'one' })
    expect(edited(root, overtaken('--title theirs'))).toMatchObject({ status: 0 })
    expect(readFileSync(join(root, 'second'), 'utf8')).toContain(
      '<<<<<<< yours\ntitle: mine\n=======\ntitle: theirs\n>>>>>>> theirs',
    )
    expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ title: 'mine' })
  }))

test('[OPS-1] an editor that is missing, fails, is killed or saves something else loses nothing', () =>
  withProject(async ({ must, root }) => {
    await must('tasks.add', { title: 'one' })
    const kept = join(root, '.cleo/edits/T001.md')
    expect(edited(root, 'exit 3')).toMatchObject({
      status: 3,
      text: expect.stringContaining('ended with exit 3'),
    })
    expect(existsSync(kept)).toBe(false)
    expect(edited(root, 'no-such-program')).toMatchObject({ status: 3 })
    expect(edited(root, ': > "$1"')).toMatchObject({ status: 0, text: 'T001 is unchanged.\n' })
    expect(edited(root, 'rm "$1"')).toMatchObject({ status: 0, text: 'T001 is unchanged.\n' })
    expect(existsSync(kept)).toBe(false)
    const killed = edited(root, 'echo more >> "$1"; kill -9 $$')
    expect(killed).toMatchObject({ status: 6, text: expect.stringContaining(kept) })
    expect(readFileSync(kept, 'utf8')).toContain('more')
    const fix = /fix: (.*)/.exec(killed.text)![1]!.replace('cleo ', '')
    execFileSync('sh', ['-c', `"$CLEO" ${fix}`], {
      cwd: root,
      env: {
        ...process.env,
        ...noClient,
        CLEO: executable.command[0],
        EDITOR: 'true',
        USER: 'ada',
        HOME: `${root}/.home`,
      },
    })
    expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ description: 'more' })
    expect(existsSync(kept)).toBe(false)
    // If the editor never saves a valid text, `cleo edit` gives up after some tries.
    const stubborn = edited(root, 'echo >> "$1"; sed -i "s/^size:.*/size: x$$/" "$1"')
    expect(stubborn).toMatchObject({ status: 6, text: expect.stringContaining(kept) })
    expect(await must('tasks.show', { id: 'T001' })).toMatchObject({ size: 'medium' })
  }))
