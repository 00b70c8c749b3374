import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { parseSpawnId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { SpawnRef } from '../../spawn/stored-spawn.ts'
import { endOfLog, runFolder } from '../agents-of-run.ts'
import { runId } from '../run-id.ts'
import * as runs from '../sql.ts'

/** Only the end of a log is printed, at most this many bytes, because the end shows how the agent ended. */
const mostBytes = 64 * 1024

export const logs = operation({
  name: 'run.logs',
  kind: 'query',
  tier: 1,
  summary: "Print the output of a task's agent.",
  input: v.strictObject({
    id: describe(SpawnRef, 'a spawn; or a task, for the output of its latest agent'),
    lines: v.optional(
      describe(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
        'how many lines to print, counted from the end',
      ),
      200,
    ),
  }),
  output: () => v.object({ spawnId: v.string(), file: v.string(), text: v.string() }),
  errors: ['spawn.none', 'run.not_found', 'file.unreadable'],
  cli: {
    command: 'run logs',
    positional: ['id'],
    examples: ['cleo run logs T003', 'cleo run logs T003.1 --lines 50'],
    document: ({ text }) => text,
  },
  async run({ id, lines }, { store, host, folder }) {
    const spawn = parseSpawnId(id) ? id : (await spawns.lastAttempt(store, id))?.id
    if (spawn === undefined) return fail('spawn.none', { task: id })
    const agent = await runs.agentOf(store, spawn)
    if (!agent) return fail('run.not_found', { id: `of ${spawn}` })
    const file = `${runFolder(folder, runId(Number(agent.run)))}/${spawn}.log`
    const read = endOfLog({ host, folder }, runId(Number(agent.run)), spawn, mostBytes)
    if (!read.ok && !read.missing) return fail('file.unreadable', { path: file, reason: `it ${read.why}` })
    const text = read.ok ? read.text : ''
    const tail = text
      .split('\n')
      .slice(-lines - 1)
      .join('\n')
    return ok({ spawnId: spawn, file, text: tail.endsWith('\n') || tail === '' ? tail : `${tail}\n` })
  },
})
