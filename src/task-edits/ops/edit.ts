import * as v from 'valibot'
import * as audit from '../../audit/sql.ts'
import { checkInput } from '../../kernel/check-input.ts'
import { type Fault, fail, ok, problemsOf } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { validParts } from '../../kernel/valid-parts.ts'
import { operation } from '../../operation/operation.ts'
import { attempt } from '../../operation/write.ts'
import type { Db } from '../../store/port.ts'
import type { TaskRow } from '../../store/rows.ts'
import { fieldDefaults } from '../../tasks/field-table.ts'
import { readTask } from '../../tasks/read-task.ts'
import * as criteria from '../../tasks/sql/criteria.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { applyChanges, type Changes, changeFields, type UpdateCode, updateCodes } from '../apply-changes.ts'
import { drawUpdated, runUpdate, updatedShape } from '../run-update.ts'
import {
  atLines,
  DocumentText,
  Draft,
  documentChanges,
  documentOf,
  readDocument,
  type ShownFields,
  withLine,
} from '../task-document.ts'

export const edit = operation({
  name: 'tasks.edit',
  kind: 'mutate',
  tier: 1,
  summary: 'Edit a task in your editor, or change single fields with flags.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    text: v.optional(
      describe(DocumentText, 'the edited task, in the form that the editor shows; no editor is opened'),
    ),
    base: v.optional(
      describe(DocumentText, 'the text as it was before the edit; CLEO uses it to detect changes by others'),
    ),
    draft: v.optional(Draft),
    ...changeFields,
  }),
  output: () => v.union([v.object({ id: v.string(), document: v.string() }), updatedShape()]),
  errors: [
    ...updateCodes,
    'edit.conflict',
    'edit.kept',
    'editor.missing',
    'editor.failed',
    'file.unreadable',
  ],
  cli: {
    command: 'edit',
    suggestedFor: ['vi', 'vim', 'nano', 'emacs'],
    positional: ['id'],
    examples: ['cleo edit T012', 'cleo edit T012 --size small'],
    edits: ({ id, text, base: _, draft: __, ...changes }) =>
      text === undefined && Object.keys(changes).length === 0 ? `cleo edit ${id}` : undefined,
  },
  human: (data, style) => ('document' in data ? [data.document] : drawUpdated(data, style)),
  async run({ id, text, base, draft: _, ...changes }, context) {
    if (text === undefined && Object.keys(changes).length > 0) return runUpdate(context, { id, ...changes })
    const row = await tasks.find(context.store, id)
    if (!row) return fail('task.not_found', { id })
    const document = await documentFor(context.store, row)
    if (text === undefined) return ok({ id, document })
    const read = readDocument(text)
    const wanted = documentChanges(readDocument(base ?? document), read)
    const checked = checkInput(v.strictObject(changeFields), wanted.changes)
    const problems = [
      ...read.problems,
      ...wanted.problems,
      ...(checked.ok ? [] : checked.problems.map((each) => withLine(each, read))),
    ]
    if (problems.length > 0) {
      const valid = validParts(v.strictObject(changeFields), wanted.changes) as Changes
      const faults: Fault<UpdateCode>[] = []
      await attempt(context.write, (tx) => applyChanges(tx, row, valid, faults))
      problems.push(...problemsOf(faults).map((each) => withLine(each, read)))
      return fail('input.invalid', { problems })
    }
    if (!checked.ok || Object.keys(wanted.changes).length === 0)
      return ok({ id, changed: [], noChange: true as const })
    const updated = await runUpdate(context, { id, ...checked.value }, async ({ db }, now) => {
      const fields = base === undefined ? [] : differing(base, await documentFor(db, now))
      if (fields.length === 0) return undefined
      const { rows } = await audit.read(db, { task: id, limit: 1 })
      return fail('edit.conflict', { id, fields, by: rows[0]?.actor })
    })
    return updated.ok ? updated : atLines(updated, read)
  },
})

const documentFor = async (db: Db, row: TaskRow): Promise<string> => {
  const task = await readTask(db, row)
  const given = (await criteria.read(db, row.id)).filter(({ source }) => source === 'given')
  return documentOf({ ...fieldDefaults, ...task, acceptance: given } as ShownFields, [
    `${row.id}, ${row.status}. Save and close the editor to store the changes; save an empty text to stop.`,
    'Above the description, lines with # are comments. An empty field removes its value; a field that you delete is not changed.',
    'Ticking a criterion does not prove it: use cleo verify for that.',
  ])
}

/** Comments in the documents do not count. */
const differing = (base: string, now: string): string[] => {
  const [before, after] = [readDocument(base).fields, readDocument(now).fields]
  return [...after.keys()].filter(
    (name) => JSON.stringify(before.get(name)?.value) !== JSON.stringify(after.get(name)?.value),
  )
}
