import { resolve } from 'node:path'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { fail, ok, type Problem } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import { shortTimeWarning, timeWarning } from '../../kernel/time-estimates.ts'
import type { Context } from '../../operation/context.ts'
import { readNamedFile } from '../../operation/named-file.ts'
import { operation } from '../../operation/operation.ts'
import { fieldErrors } from '../../tasks/editable-fields.ts'
import type { InsertedTask } from '../../tasks/insert.ts'
import { spawnWarnings } from '../../tasks/spawn-problems.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { type AppliedItem, applyOutline } from '../apply-outline.ts'
import { findStored } from '../find-stored.ts'
import { outlineTasks } from '../outline-tasks.ts'
import { readOutline } from '../read-outline.ts'

const shape = () =>
  v.object({
    tasks: v.array(
      v.object({
        id: v.string(),
        line: v.number(),
        level: v.number(),
        title: v.string(),
        key: v.string(),
        action: v.picklist(['added', 'updated', 'unchanged']),
        /** The fields that were changed. */
        changed: v.optional(v.array(v.string())),
        /** The tasks that the item waits on: keys of other items, and ids. */
        after: v.optional(v.array(v.string())),
        criteria: v.optional(v.number()),
      }),
    ),
    /** Open tasks that were added from this outline earlier and are no longer in it. */
    left: v.optional(v.array(v.object({ id: v.string(), title: v.string(), key: v.string() }))),
    /** How many lines of the outline were read as a task, as a criterion, and so on. */
    lines: v.object({
      task: v.number(),
      criterion: v.number(),
      dependency: v.number(),
      text: v.number(),
      ignored: v.number(),
      notUnderstood: v.number(),
    }),
    /** Lines that CLEO may have misunderstood. */
    doubts: v.optional(v.array(v.object({ line: v.number(), message: v.string() }))),
    dryRun: v.optional(v.literal(true)),
  })
type Added = v.InferOutput<ReturnType<typeof shape>>

export const addOutline = operation({
  name: 'outline.add',
  kind: 'mutate',
  tier: 1,
  summary: 'Add the tasks of a Markdown outline; a second run updates them.',
  input: v.strictObject({
    from: describe(
      v.pipe(v.string(), v.minLength(1, 'is empty'), maxBytes(inputLimits.batchBytes)),
      'Markdown file, `-` for standard input, or the outline itself',
    ),
    parent: v.optional(describe(TaskId, 'put the tasks of the outline below this epic or task')),
  }),
  output: shape,
  errors: [
    ...fieldErrors,
    'outline.invalid',
    'task.not_found',
    'task.status_verb',
    'claim.held',
    'file.unreadable',
  ],
  readsFile: ({ from }) => !isOutline(from),
  cli: {
    command: 'add --from',
    examples: ['cleo add --from plan.md --dry-run', 'cleo add --from - < plan.md'],
    sample: {
      about:
        'In the outline, a heading is an epic, a list item a task and an item below it a subtask. An indented check box is an acceptance criterion; other lines are the description. A title can end with fields in parentheses: after, files, labels, priority, size, stage, type or completes.',
      lines: [
        '# Online shop',
        'Customers can order tea.',
        '',
        '- Choose a payment provider',
        '  Which one, and why?',
        '- Checkout page (after: choose a payment provider; files: src/checkout.ts)',
        '  - [ ] rejects an expired card',
        '- Price list (size: small; priority: high)',
        '  One price on a line.',
      ],
    },
  },
  human: (data, style) => draw(data, style),
  async run({ from, parent }, context) {
    const text = textOf(from, context)
    const source = text === from ? 'The outline' : from
    const refused = (message: string) => fail('outline.invalid', { problems: [{ path: source, message }] })
    if (text.includes('\0')) return refused('is not a text file')
    const outline = readOutline(text)
    const line = parent === undefined ? [] : await tasks.lineage(context.store, parent)
    if (parent !== undefined && line.length === 0) return fail('parent.not_found', { id: parent })
    const { tasks: found, problems } = outlineTasks(outline, line.length)
    if (problems.length > 0) {
      await findStored(context.store, found, line[0], problems)
      return fail('outline.invalid', { problems: problems.toSorted((a, b) => lineOf(a) - lineOf(b)) })
    }
    if (found.length === 0) return refused('has no heading and no list item')
    if (found.length > inputLimits.batchRows) return refused(`is limited to ${inputLimits.batchRows} items`)
    const warnings: string[] = []
    for (const { item, fields } of found)
      warnings.push(
        ...shortTimeWarning(`line ${item.line}, title`, fields.title),
        ...timeWarning(`line ${item.line}, description`, fields.description ?? ''),
        ...timeWarning(`line ${item.line}, acceptance`, (fields.acceptance ?? []).join('\n')),
      )
    return context.write(async (tx) => {
      const applied = await applyOutline(tx, context, found, line[0])
      if (!applied.ok) return applied
      const { items, left, doubts: further, inserted } = applied.value
      const doubts = [...outline.doubts, ...further].sort((a, b) => a.line - b.line)
      return ok(
        {
          tasks: items.map(({ task, id, action, changed }) => ({
            id,
            line: task.item.line,
            level: task.item.level,
            title: task.fields.title,
            key: task.key,
            action,
            ...(changed.length > 0 && { changed }),
            ...(task.depends?.length && {
              after: task.depends.map((need) => (typeof need === 'string' ? need : need.key)),
            }),
            ...(task.item.criteria.length > 0 && { criteria: task.item.criteria.length }),
          })),
          ...(left.length > 0 && { left }),
          lines: outline.lines,
          ...(doubts.length > 0 && { doubts }),
          ...(context.dryRun && { dryRun: true as const }),
        },
        { warnings: [...warnings, ...spawnWarnings(inserted.map(spawnFacts(items)), context.config)] },
      )
    })
  },
})

const spawnFacts = (items: readonly AppliedItem[]) => {
  const fieldsOf = new Map(items.map(({ id, task }) => [id, task.fields]))
  return ({ id, type, rootType, children }: InsertedTask) => {
    const { description = '', acceptance = [], files = [] } = fieldsOf.get(id)!
    const undescribed = description.trim() === '' && acceptance.length === 0
    return { id, type, rootType, children, files, undescribed }
  }
}

const lineOf = ({ path }: Problem): number => Number.parseInt(path.slice('line '.length), 10)

/** Leaves out a kind that has no lines, but always says how many lines were not understood. */
const lineCounts = (lines: Added['lines'], references: number): string => {
  const { task, criterion, dependency, text, ignored, notUnderstood } = lines
  const total = task + criterion + dependency + text + ignored + notUnderstood
  const count = (n: number, one: string, many: string) => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`])
  const kinds = [
    ...count(task, 'task', 'tasks'),
    ...count(criterion, 'criterion', 'criteria'),
    ...count(dependency, 'dependency', 'dependencies'),
    ...count(text, 'text', 'text'),
    ...count(ignored, 'ignored', 'ignored'),
    `${notUnderstood} not understood`,
  ]
  const inAll = count(references, 'dependency in all', 'dependencies in all')
  return [`${total} ${total === 1 ? 'line' : 'lines'}: ${kinds.join(', ')}`, ...inAll].join('; ')
}

const marks = { added: '+', updated: '~', unchanged: '=' }

const draw = ({ tasks: all, left = [], lines, doubts = [], dryRun }: Added, style: Style): string[] => {
  const sum = (action: Added['tasks'][number]['action']) =>
    all.filter((task) => task.action === action).length
  const references = all.reduce((count, { after = [] }) => count + after.length, 0)
  return [
    ...all.map(({ id, level, title, key, action, changed = [], after = [], criteria = 0 }) => {
      const facts = [
        ...(changed.length > 0 ? [`changed: ${changed.join(', ')}`] : []),
        ...(after.length > 0 ? [`after ${after.join(', ')}`] : []),
        ...(criteria > 0 ? [`${criteria} ${criteria === 1 ? 'criterion' : 'criteria'}`] : []),
      ]
      // In a dry run, a new task has no id yet.
      const name = dryRun && action === 'added' ? key : id
      const rest = facts.length > 0 ? `  ${style.dim(facts.join(' · '))}` : ''
      return `${marks[action]} ${'  '.repeat(level - 1)}${style.cyan(name)} ${title}${rest}`
    }),
    `${sum('added')} ${dryRun ? 'to add' : 'added'}, ${sum('updated')} ${dryRun ? 'to update' : 'updated'}, ${sum('unchanged')} unchanged`,
    style.dim(lineCounts(lines, references)),
    ...doubts.map(({ line, message }) => `${style.yellow('?')} line ${line} ${message}`),
    ...left.map(
      ({ id, title, key }) =>
        `${style.yellow('?')} ${style.cyan(id)} ${title} is no longer in the outline and stays as it is; if its title changed, put {#${key}} behind the new one`,
    ),
  ]
}

const isOutline = (given: string): boolean => given.includes('\n') || /^(?:#|[-*+] )/.test(given)

const longestPath = 4096

const textOf = (from: string, { host }: Context): string => {
  if (isOutline(from)) return from
  // `from` is usually a path. A text that is too long for a path is the outline itself. So is a text with white space,
  // unless a file has this name.
  if (from.length > longestPath) return from
  if (/\s/.test(from) && host.files.kind(resolve(host.cwd, from)) === undefined) return from
  return readNamedFile(host, from, {
    field: 'from',
    most: inputLimits.batchBytes,
    instead: 'cleo add --from -',
  })
}
