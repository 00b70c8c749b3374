import { expect, test } from 'vitest'
import { innermostSchema } from '../../src/kernel/innermost-schema.ts'
import { editableFields } from '../../src/tasks/editable-fields.ts'
import { listFields, optionalFields, singleFields } from '../../src/tasks/field-table.ts'
import { withProject } from '../support/project.ts'

type Fields = Record<string, unknown>

/**
 * Values of fields that need a certain format. Any other field gets the last of its choices, or a word if it has no
 * choices.
 */
const formed: Fields = {
  title: 'Sign-up form',
  description: 'Everything an agent needs.',
  type: 'task',
  parent: 'T001',
  depends: ['T002'],
  labels: ['api'],
  files: ['src/form.ts'],
  acceptance: ['rejects a bad e-mail'],
}
const samples: Fields = Object.fromEntries(
  Object.entries(editableFields).map(([name, schema]) => [
    name,
    formed[name] ?? innermostSchema(schema).options?.at(-1) ?? 'ada',
  ]),
)

const fieldsOf = (task: Fields): Fields => {
  const own = Object.fromEntries(Object.keys(editableFields).map((name) => [name, task[name]]))
  return { ...own, acceptance: ((own['acceptance'] ?? []) as { text: string }[]).map(({ text }) => text) }
}

test('the field table has every editable field once', () => {
  const names = [...singleFields.map(({ as }) => as), ...listFields, 'acceptance', 'description']
  expect(names.toSorted()).toEqual(Object.keys(editableFields).toSorted())
})

test('[OPS-1] every editable field is in the document of a task; an optional one can be emptied, and undo restores it', () =>
  withProject(async ({ must }) => {
    await must('tasks.add', { title: 'epic', type: 'epic' })
    await must('tasks.add', { title: 'first', parent: 'T001' })
    await must('tasks.add', samples)
    const show = async () => fieldsOf((await must('tasks.show', { id: 'T003' })) as Fields)
    expect(await show()).toEqual(samples)
    const { document } = (await must('tasks.edit', { id: 'T003' })) as { document: string }
    for (const { as } of singleFields) expect(document).toContain(`\n${as}: ${samples[as]}\n`)
    for (const name of listFields) expect(document).toContain(`\n${name}: ${samples[name]}\n`)
    expect(optionalFields.length).toBeGreaterThan(0)
    for (const name of optionalFields) {
      const text = document.replace(`${name}: ${samples[name]}`, `${name}:`)
      expect(await must('tasks.edit', { id: 'T003', text })).toMatchObject({ changed: [name] })
      expect(await must('tasks.show', { id: 'T003' })).not.toHaveProperty(name)
      await must('tasks.undo', {})
      expect(await show()).toEqual(samples)
      await must('tasks.update', { id: 'T003', [name]: 'none' })
      expect(await must('tasks.show', { id: 'T003' })).not.toHaveProperty(name)
      await must('tasks.undo', {})
    }
  }))

test('[OPS-1] every editable field is in the outline of a project; reading the outline restores it', () =>
  withProject(async ({ must }) => {
    await must('tasks.add', { title: 'epic', type: 'epic' })
    await must('tasks.add', { title: 'first', parent: 'T001' })
    await must('tasks.add', samples)
    const show = async () => fieldsOf((await must('tasks.show', { id: 'T003' })) as Fields)
    const { document } = (await must('outline.export', {})) as { document: string }
    for (const name of Object.keys(editableFields)) {
      if (name === 'type' || name === 'parent') continue
      const options = innermostSchema(editableFields[name as 'title']).options
      const other = options?.[0] ?? (Array.isArray(samples[name]) ? [] : 'another')
      await must('tasks.update', { id: 'T003', [name]: other })
      expect(await show()).not.toEqual(samples)
      expect(await must('outline.add', { from: document })).toMatchObject({
        tasks: [{}, {}, { action: 'updated', changed: [name] }],
      })
      expect(await show()).toEqual(samples)
    }
  }))
