import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { type Fault, fail, ok, type Problem } from '../../kernel/result.ts'
import { limits } from '../../kernel/task.ts'
import { TaskType } from '../../kernel/task-filters.ts'
import { describe, list, text } from '../../kernel/text.ts'
import { shortTimeWarning, timeWarning } from '../../kernel/time-estimates.ts'
import { operation } from '../../operation/operation.ts'
import { tooManyCriteria } from '../acceptance.ts'
import { editableFields, type FieldCode, fieldErrors } from '../editable-fields.ts'
import { examineRows, type InsertedTask, insertTasks } from '../insert.ts'
import type { NewTaskRow } from '../plan-new.ts'
import { spawnWarnings } from '../spawn-problems.ts'

const { title, parent, depends, ...others } = editableFields
const optional = v.entriesFromObjects([v.partial(v.strictObject(others))])
const reference = text(64)

const BatchRow = v.strictObject({
  key: v.optional(reference),
  title,
  parent: v.optional(reference),
  depends: v.optional(list(reference, 'dependencies', limits.depends)),
  ...optional,
})

const addedShape = () =>
  v.object({
    id: v.string(),
    title: v.string(),
    type: TaskType,
    /** The oldest open tasks that the new task waits on, at most 20. */
    waitsOn: v.optional(v.array(v.string())),
    /** How many open tasks the new task waits on besides those in `waitsOn`. */
    waitsOnMore: v.optional(v.number()),
    /** The key that the row had in the batch. */
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
        v.pipe(
          v.array(BatchRow),
          v.minLength(1, 'has no rows'),
          v.maxLength(inputLimits.batchRows, `is limited to ${inputLimits.batchRows} rows`),
        ),
        'add all rows of standard input (JSON array or JSONL), or none if one is invalid; parent and depends can name the `key` of another row',
      ),
    ),
  }),
  output: () => v.union([addedShape(), v.object({ added: v.array(addedShape()) })]),
  errors: fieldErrors,
  tool: [
    'title',
    'parent',
    'depends',
    'description',
    'type',
    'files',
    'acceptance',
    'priority',
    'size',
    'batch',
  ],
  cli: {
    command: 'add',
    suggestedFor: ['create', 'new', 'insert', 'make', 'epic', 'subtask'],
    positional: ['title'],
    examples: [
      'cleo add "Customer accounts" --type epic',
      'cleo add "Sign-up form" --parent T001 --depends T002 --files src/signup.ts --acceptance "rejects a bad e-mail"',
      'cleo add --batch < tasks.jsonl',
    ],
  },
  human: (data, style) =>
    ('added' in data ? data.added : [data]).map(({ id, title, type, waitsOn, waitsOnMore }) => {
      const more = waitsOnMore ? ` and ${waitsOnMore} more` : ''
      const rest = waitsOn ? `waits on ${waitsOn.join(', ')}${more}` : type
      return `${style.cyan(id)} ${title}  ${style.dim(rest)}`
    }),
  async examine({ batch, ...single }, { store }) {
    const rows = (batch ?? [single]).map((row) => ({ title: '', ...row }))
    const faults: Fault<FieldCode>[] = tooManyCriteria(rows).map(criteriaFault)
    await examineRows(store, rows, faults)
    return faults
  },
  async run({ batch, ...single }, { actor, write, config }) {
    const wrong = batchProblems(batch, single)
    if (wrong) return wrong
    const rows = batch ?? [single as NewTaskRow]
    const problems = tooManyCriteria(rows)
    if (problems.length > 0) return fail('input.invalid', { problems })
    // Search the texts for time estimates here and not in the transaction, because searching many rows is slow.
    const warnings: string[] = []
    for (const [i, row] of rows.entries()) warnings.push(...timeWarnings(row, batch ? `batch.${i}.` : ''))
    return write(async (tx) => {
      const inserted = await insertTasks(tx, rows, actor)
      if (!Array.isArray(inserted)) return inserted
      const added = []
      for (const task of inserted) added.push(described(task))
      const lacking = spawnWarnings(inserted.map(spawnFacts(rows)), config)
      return ok(batch ? { added } : added[0]!, { warnings: [...warnings, ...lacking] })
    })
  },
})

const criteriaFault = (problem: Problem): Fault<'input.invalid'> => ({
  path: problem.path,
  failure: fail('input.invalid', { problems: [problem] }),
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
  ...(waitsOn.count > 0 && { waitsOn: [...waitsOn.first] }),
  ...(waitsOn.count > waitsOn.first.length && { waitsOnMore: waitsOn.count - waitsOn.first.length }),
  ...(key !== undefined && { key }),
})

const spawnFacts =
  (rows: readonly NewTaskRow[]) =>
  ({ id, type, rootType, children }: InsertedTask, i: number) => {
    const { description = '', acceptance = [], files = [] } = rows[i]!
    return {
      id,
      type,
      rootType,
      children,
      files,
      undescribed: !description.trim() && acceptance.length === 0,
    }
  }

const timeWarnings = ({ title, description = '', acceptance = [] }: NewTaskRow, prefix: string): string[] => [
  ...shortTimeWarning(`${prefix}title`, title),
  ...timeWarning(`${prefix}description`, description),
  ...timeWarning(`${prefix}acceptance`, acceptance.join('\n')),
]
