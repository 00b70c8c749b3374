import * as v from 'valibot'
import { drawings } from '../../graph/drawings.ts'
import { analyze as layer } from '../../graph/waves.ts'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { type Status, statuses } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as graph from '../../tasks/sql/graph.ts'
import * as tasks from '../../tasks/sql/tasks.ts'

const analysis = () =>
  v.object({
    epic: v.string(),
    waves: v.array(v.array(v.string())),
    criticalPath: v.array(v.string()),
    blockedOutside: v.array(v.object({ id: v.string(), on: v.array(v.string()) })),
    counts: v.object(
      Object.fromEntries(statuses.map((status) => [status, v.number()])) as Record<
        Status,
        v.NumberSchema<undefined>
      >,
    ),
    drawing: v.optional(v.string()),
  })
type Analysis = v.InferOutput<ReturnType<typeof analysis>>

export const analyze = operation({
  name: 'orchestrate.analyze',
  kind: 'query',
  tier: 1,
  summary: "Show an epic's critical path, outside dependencies and waves of parallel tasks.",
  input: v.strictObject({
    epic: describe(TaskId, 'the epic, or any task with children'),
    graph: v.optional(
      describe(v.picklist(['text', 'mermaid', 'dot']), 'draw the graph instead of listing waves'),
    ),
  }),
  output: analysis,
  errors: ['task.not_found'],
  cli: {
    command: 'analyze',
    suggestedFor: ['graph', 'plan', 'waves', 'estimate', 'critical-path'],
    positional: ['epic'],
    examples: ['cleo analyze T001', 'cleo analyze T001 --graph mermaid'],
    document: ({ drawing }) => drawing,
  },
  human: (data, style) => drawWaves(data, style),
  async run({ epic, graph: drawn }, { store }) {
    const [root, ...above] = await tasks.lineage(store, epic)
    if (!root) return fail('task.not_found', { id: epic })
    const nodes = await graph.treeBelow(store, root)
    const needs = await graph.needsBelow(store, root)
    // Every task below an ancestor waits for the dependencies of the ancestor. So add them to the dependencies of this
    // epic.
    for (const each of above) {
      for (const need of await graph.needsOf(store, each.id)) needs.push({ ...need, task: epic })
    }
    const found = layer(nodes, needs)
    const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
    for (const { id, status } of nodes) if (id !== epic) counts[status]++
    const answer = { epic, ...found, counts }
    const titles = new Map(nodes.map(({ id, title }) => [id, title]))
    // Beside each task in the waves, tell people whether it is active or blocked.
    const notes = new Map(nodes.map(({ id, status }) => [id, status === 'pending' ? '' : `(${status})`]))
    if (!drawn) return ok(answer, { titles, notes })
    return ok({ ...answer, drawing: drawings[drawn](nodes, needs, found) })
  },
})

const perWave = 12

const drawWaves = (
  { epic, waves, criticalPath, blockedOutside, counts }: Analysis,
  style: Style,
): string[] => {
  const open = counts.pending + counts.active + counts.blocked
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  const task = (id: string) => {
    const [title, note] = [style.title(id), style.note(id)]
    const room =
      (style.width ?? Number.POSITIVE_INFINITY) - '  outside  '.length - id.length - note.length - 2
    return [style.cyan(id), style.cut(title, Math.max(12, room)), note].filter(Boolean).join(' ')
  }
  const rows = waves.flatMap((wave, i) => [
    ...wave.slice(0, perWave).map((id, n) => [n === 0 ? style.bold(`  wave ${i + 1}`) : '', task(id)]),
    ...(wave.length > perWave ? [['', style.dim(`and ${wave.length - perWave} more`)]] : []),
  ])
  const outside = blockedOutside
    .slice(0, perWave)
    .map(({ id, on }, n) => [
      n === 0 ? style.yellow('  outside') : '',
      `${task(id)}  ${style.dim(`waits on ${on.join(', ')}`)}`,
    ])
  return [
    `${style.bold(style.title(epic) || epic)} · ${amount(total, 'task')}, ${open} open · ${amount(waves.length, 'wave')} · critical path ${criticalPath.length}`,
    ...style.table([...rows, ...outside], 1),
    ...(criticalPath.length > 1
      ? [style.dim(`  critical path: ${shortened(criticalPath).join(' → ')}`)]
      : []),
  ]
}

const amount = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`
const shortened = (path: string[]) =>
  path.length > 10 ? [...path.slice(0, 5), '…', ...path.slice(-4)] : path
