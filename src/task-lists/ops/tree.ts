import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { type Branch, statuses } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import { openOnes, totalOf } from '../../tasks/sql/counts.ts'
import type { ListRow } from '../../tasks/sql/list.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { taskLine } from '../../tasks/task-shape.ts'
import { statusMark } from '../draw-tasks.ts'
import * as trees from '../sql/trees.ts'
import { type TaskWork, workNote, workOn } from '../wait-notes.ts'

const branchShape = (): v.GenericSchema<Branch> =>
  v.object({
    ...taskLine().entries,
    by: v.optional(v.string()),
    waitsOn: v.optional(v.array(v.string())),
    children: v.optional(v.array(v.lazy(branchShape))),
  })

export const tree = operation({
  name: 'tasks.tree',
  kind: 'query',
  tier: 1,
  summary: 'Draw the task tree, with the tasks that each task waits on.',
  input: v.strictObject({
    id: v.optional(describe(TaskId, 'root of the tree (default: all trees)')),
    all: v.optional(describe(v.boolean(), 'include done and cancelled tasks')),
    limit: v.optional(Limit(), 200),
  }),
  output: () => v.object({ tree: v.array(branchShape()), leftOut: v.optional(v.number()) }),
  errors: ['task.not_found'],
  cli: {
    command: 'tree',
    suggestedFor: ['children', 'subtasks', 'hierarchy'],
    positional: ['id'],
    examples: ['cleo tree', 'cleo tree T001 --all'],
  },
  human: ({ tree, leftOut }, style) => [
    ...(tree.length === 0 ? [style.dim(style.note(''))] : tree.flatMap((branch) => draw(branch, style))),
    ...(leftOut ? [style.dim(`and ${leftOut} more; --limit shows them`)] : []),
  ],
  async run({ id, all, limit }, { store }) {
    const root = id === undefined ? undefined : await tasks.find(store, id)
    if (id !== undefined && !root) return fail('task.not_found', { id })
    const options = { open: !all, limit }
    const rows = root
      ? [root, ...(await trees.firstBelow(store, root, options))]
      : await trees.firstTrees(store, options)
    const total = root
      ? await trees.countTree(store, root, !all)
      : await totalOf(store, all ? statuses : openOnes, undefined)
    const leftOut = Math.max(0, total - limit)
    const shown = rows.slice(0, limit)
    return ok(
      { tree: buildBranches(shown, await workOn(store, shown)), ...(leftOut > 0 && { leftOut }) },
      {
        page: { total, limit },
        ...(shown.length === 0 && {
          notes: await (await import('../why-empty.ts')).emptyNotes(store),
        }),
      },
    )
  },
})

const buildBranches = (rows: readonly ListRow[], work: ReadonlyMap<string, TaskWork>): Branch[] => {
  const branches = new Map<string, Branch>(
    rows.map((row) => [row.id, { ...tasks.toLine(row), ...work.get(row.id) }]),
  )
  const roots: Branch[] = []
  for (const row of rows) {
    const branch = branches.get(row.id)!
    const parent = row.parent === null ? undefined : branches.get(row.parent)
    if (!parent) roots.push(branch)
    else if (parent.children) parent.children.push(branch)
    else parent.children = [branch]
  }
  return roots
}

const draw = (branch: Branch, style: Style, lead = '', childLead = ''): string[] => {
  const children = branch.children ?? []
  return [
    `${style.dim(lead)}${branchLine(branch, style, lead.length)}`,
    ...children.flatMap((child, i) => {
      const last = i === children.length - 1
      return draw(child, style, childLead + (last ? '└─ ' : '├─ '), childLead + (last ? '   ' : '│  '))
    }),
  ]
}

/** Cuts the title so that the dependencies fit on the same line. */
const branchLine = (branch: Branch, style: Style, lead: number): string => {
  const { id, status, title, priority, outcome } = branch
  const note = [
    ...(priority === 'critical' ? [priority] : []),
    ...(outcome ? ['partial'] : []),
    ...(workNote(branch) ? [workNote(branch)] : []),
  ].join(' · ')
  const around = lead + 3 + id.length + (note ? note.length + 2 : 0)
  const fitting = style.width === undefined ? title : style.cut(title, Math.max(12, style.width - around))
  const painted =
    priority === 'critical' ? style.red(style.bold(note)) : outcome ? style.yellow(note) : style.dim(note)
  return `${statusMark(status, style)} ${style.cyan(id)} ${fitting}${note ? `  ${painted}` : ''}`
}
