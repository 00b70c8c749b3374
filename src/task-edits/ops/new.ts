import * as v from 'valibot'
import { checkInput } from '../../kernel/check-input.ts'
import { fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { tooManyCriteria } from '../../tasks/acceptance.ts'
import { editableFields, fieldErrors } from '../../tasks/editable-fields.ts'
import { insertTasks } from '../../tasks/insert.ts'
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

const { title, ...others } = editableFields
const optional = v.partial(v.strictObject(others)).entries

export const addInEditor = operation({
  name: 'tasks.new',
  kind: 'mutate',
  tier: 1,
  summary: 'Write a new task in your editor.',
  input: v.strictObject({
    title: v.optional(title),
    ...optional,
    text: v.optional(
      describe(DocumentText, 'the text that you would write in the editor; no editor is opened'),
    ),
    draft: v.optional(Draft),
  }),
  output: () =>
    v.union([
      v.object({ document: v.string() }),
      v.object({ id: v.string(), title: v.string(), type: v.string() }),
      v.object({ noChange: v.literal(true) }),
    ]),
  errors: [...fieldErrors, 'edit.kept', 'editor.missing', 'editor.failed', 'file.unreadable'],
  cli: {
    command: 'add --edit',
    positional: ['title'],
    examples: ['cleo add --edit', 'cleo add "Sign-up form" --edit --parent T001'],
    edits: ({ text }) => (text === undefined ? 'cleo add --edit' : undefined),
  },
  human: (data, style) =>
    'document' in data
      ? [data.document]
      : 'id' in data
        ? [`${style.cyan(data.id)} ${data.title}  ${style.dim(data.type)}`]
        : ['Nothing was added.'],
  async run({ text, draft: _, acceptance = [], ...fields }, { actor, write }) {
    const given = { ...fields, acceptance: acceptance.map((text, i) => ({ n: i + 1, text, state: 'open' })) }
    if (text === undefined) return ok({ document: documentOf(given as ShownFields, opening) })
    const read = readDocument(text)
    const wanted = documentChanges(readDocument(documentOf({}, [])), read)
    const checked = checkInput(v.strictObject({ title, ...optional }), wanted.changes)
    const problems = [
      ...read.problems,
      ...wanted.problems,
      ...(checked.ok ? tooManyCriteria([checked.value]) : checked.problems).map((each) =>
        withLine(each, read),
      ),
    ]
    if (!checked.ok || problems.length > 0) return fail('input.invalid', { problems })
    const row = checked.value
    return write(async (tx) => {
      const inserted = await insertTasks(tx, [row], actor)
      if (!Array.isArray(inserted)) return atLines(inserted, read)
      const { id, title, type } = inserted[0]!
      return ok({ id, title, type })
    })
  },
})

const opening = [
  'A new task. Save and close the editor to add it; save an empty text to stop.',
  'Above the description, lines with # are comments. Only the title is needed; write criteria as "- [ ] …" below acceptance.',
]
