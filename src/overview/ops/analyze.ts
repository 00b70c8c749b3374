import * as v from 'valibot'
import { drawings } from '../../graph/draw.ts'
import { analyze as layer } from '../../graph/waves.ts'
import { fail, ok } from '../../kernel/result.ts'
import { type Status, statuses } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as graph from '../../tasks/sql/graph.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { drawWaves } from '../draw-waves.ts'

const counted = () =>
  v.object(
    Object.fromEntries(statuses.map((status) => [status, v.number()])) as Record<
      Status,
      v.NumberSchema<undefined>
    >,
  )

export const analyze = operation({
  name: 'orchestrate.analyze',
  kind: 'query',
  tier: 1,
  summary: 'Show the waves, the critical path and what blocks an epic.',
  input: v.strictObject({
    epic: describe(TaskId, 'the epic, or any task with children'),
    format: v.optional(describe(v.picklist(['text', 'mermaid', 'dot']), 'a drawing instead of the lists')),
  }),
  output: () =>
    v.object({
      epic: v.string(),
      waves: v.array(v.array(v.string())),
      criticalPath: v.array(v.string()),
      blockedOutside: v.array(v.object({ id: v.string(), on: v.array(v.string()) })),
      counts: counted(),
      drawing: v.optional(v.string()),
    }),
  errors: ['task.not_found'],
  cli: {
    command: 'orchestrate analyze',
    positional: ['epic'],
    examples: ['cleo orchestrate analyze T001', 'cleo orchestrate analyze T001 --format mermaid'],
    document: ({ drawing }) => drawing,
  },
  human: drawWaves,
  async run({ epic, format }, { store }) {
    const [root, ...above] = await tasks.lineage(store, epic)
    if (!root) return fail('task.not_found', { id: epic })
    const nodes = await graph.treeBelow(store, root)
    const needs = await graph.needsBelow(store, root)
    // What the ancestors wait on binds everything here, as if the root itself needed it.
    for (const each of above) {
      for (const need of await graph.needsOf(store, each.id)) needs.push({ ...need, task: epic })
    }
    const found = layer(nodes, needs)
    const counts = Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>
    for (const { id, status } of nodes) if (id !== epic) counts[status]++
    const answer = { epic, ...found, counts }
    // People see in the waves what is being worked on and what is stuck.
    const named = ({ title, status }: graph.GraphNode) =>
      status === 'pending' ? title : `${title} (${status})`
    const titles = new Map(nodes.map((node) => [node.id, named(node)]))
    if (!format) return ok(answer, { titles })
    return ok({ ...answer, drawing: drawings[format](nodes, needs, found) })
  },
})
