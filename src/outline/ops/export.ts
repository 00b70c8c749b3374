import { resolve } from 'node:path'
import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { writeOutline } from '../write-outline.ts'

export const exportOutline = operation({
  name: 'outline.export',
  kind: 'query',
  tier: 1,
  summary: 'Write the tasks as a Markdown outline that `cleo add --from plan.md` can read.',
  input: v.strictObject({
    epic: v.optional(describe(TaskId, 'only this epic and the tasks below it')),
    out: v.optional(describe(text(4096), 'file to create (default: print)')),
  }),
  output: () =>
    v.union([
      v.object({ tasks: v.number(), document: v.string() }),
      v.object({ path: v.string(), tasks: v.number() }),
    ]),
  errors: ['task.not_found', 'file.exists'],
  writesTo: 'out',
  cli: {
    command: 'export --markdown',
    examples: ['cleo export --markdown > plan.md', 'cleo export --markdown --epic T001 --out plan.md'],
    document: (data) => ('document' in data ? data.document : undefined),
  },
  human: (data, style) =>
    'path' in data ? [`Wrote ${data.tasks} tasks to ${style.cyan(data.path)}`] : [data.document],
  async run({ epic, out }, { store, host }) {
    const row = epic === undefined ? undefined : await tasks.find(store, epic)
    if (epic !== undefined && !row) return fail('task.not_found', { id: epic })
    const { text: document, tasks: count } = await writeOutline(store, row?.root)
    if (out === undefined) return ok({ tasks: count, document })
    const path = resolve(host.cwd, out)
    return host.files.writeNew(path, document, 0o600)
      ? ok({ path, tasks: count })
      : fail('file.exists', { path })
  },
})
