import * as v from 'valibot'
import { type Fault, fail, ok } from '../../kernel/result.ts'
import { TaskType } from '../../kernel/task-fields.ts'
import { describe, text } from '../../kernel/text.ts'
import { timeWarning } from '../../kernel/time-estimates.ts'
import { operation } from '../../operation/operation.ts'
import { attempt } from '../../operation/write.ts'
import { editableFields } from '../editable-fields.ts'
import { type InsertedTask, insertTasks } from '../insert.ts'
import { insertErrors, type NewTaskRow } from '../plan-new.ts'

const { title, parent, depends, ...others } = editableFields
const optional = v.entriesFromObjects([v.partial(v.strictObject(others))])
const reference = text(64)

const BatchRow = v.strictObject({
  key: v.optional(reference),
  title,
  parent: v.optional(reference),
  depends: v.optional(v.array(reference)),
  ...optional,
})

const addedShape = () =>
  v.object({
    id: v.string(),
    title: v.string(),
    type: TaskType,
    waitsOn: v.optional(v.array(v.string())),
    key: v.optional(v.string()),
  })

export const add = operation({
  name: 'tasks.add',
  kind: 'mutate',
  tier: 1,
  summary: 'Add a task, or many at once.',
  input: v.strictObject({
    title: v.optional(title),
    parent: v.optional(parent),
    depends: v.optional(depends),
    ...optional,
    batch: v.optional(
      describe(
        v.pipe(v.array(BatchRow), v.minLength(1, 'has no rows'), v.maxLength(100_000)),
        'add all rows of standard input (JSON array or JSONL) or none; parent and depends may name the `key` of another row',
      ),
    ),
  }),
  output: () => v.union([addedShape(), v.object({ added: v.array(addedShape()) })]),
  errors: insertErrors,
  cli: {
    command: 'add',
    positional: ['title'],
    examples: [
      'cleo add "Customer accounts" --type epic',
      'cleo add "Sign-up form" --parent T001 --depends T002 --files src/signup.ts --acceptance "rejects a bad e-mail"',
      'cleo add --batch < tasks.jsonl',
    ],
  },
  human: (data, style) =>
    ('added' in data ? data.added : [data]).map(({ id, title, type, waitsOn }) => {
      const rest = waitsOn ? `waits on ${waitsOn.join(', ')}` : type
      return `${style.cyan(id)} ${title}  ${style.dim(rest)}`
    }),
  async examine({ batch, ...single }, { actor, write }) {
    const faults: Fault[] = []
    const rows = (batch ?? [single]).map((row) => ({ title: '', ...row }))
    await attempt(write, (tx) => insertTasks(tx, rows, actor, faults as []))
    return faults
  },
  async run({ batch, ...single }, { actor, write }) {
    const wrong = batchProblems(batch, single)
    if (wrong) return wrong
    const rows = batch ?? [single as NewTaskRow]
    return write(async (tx) => {
      const inserted = await insertTasks(tx, rows, actor)
      if (!Array.isArray(inserted)) return inserted
      const added = []
      for (const task of inserted) added.push(described(task))
      const warnings: string[] = []
      for (const [i, row] of rows.entries()) warnings.push(...timeWarnings(row, batch ? `batch.${i}.` : ''))
      return ok(batch ? { added } : added[0]!, { warnings })
    })
  },
})

const batchProblems = (batch: readonly NewTaskRow[] | undefined, single: object) => {
  const given = Object.keys(single)
  const problems = batch
    ? given.map((path) => ({ path, message: 'cannot be combined with a batch; set it in the rows' }))
    : given.includes('title')
      ? []
      : [{ path: 'title', message: 'is missing', fix: 'cleo add "What to do"' }]
  return problems.length > 0 ? fail('input.invalid', { problems }) : undefined
}

const described = ({ id, title, type, waitsOn, key }: InsertedTask) => ({
  id,
  title,
  type,
  ...(waitsOn.length > 0 && { waitsOn: [...waitsOn] }),
  ...(key !== undefined && { key }),
})

const timeWarnings = ({ title, description = '', acceptance = [] }: NewTaskRow, prefix: string): string[] => [
  ...timeWarning(`${prefix}title`, title),
  ...timeWarning(`${prefix}description`, description),
  ...timeWarning(`${prefix}acceptance`, acceptance.join('\n')),
]
