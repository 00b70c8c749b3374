import * as v from 'valibot'
import * as spawns from '../../claims/sql/spawns.ts'
import { fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { differences } from '../prompt-diff.ts'
import { findSpawn, SpawnRef } from '../stored-spawn.ts'

export const diff = operation({
  name: 'orchestrate.spawn.diff',
  kind: 'query',
  tier: 1,
  summary: 'Show where two prompts differ, section by section.',
  input: v.strictObject({
    from: describe(SpawnRef, 'the earlier spawn; or a task, to compare its last two spawns'),
    to: v.optional(describe(SpawnRef, 'the later spawn; default: the latest spawn of the same task')),
  }),
  output: () =>
    v.object({
      from: v.string(),
      to: v.string(),
      /** True if the prompts do not differ. */
      same: v.boolean(),
      /** Lines that were removed and added, by section. */
      changes: v.array(
        v.object({ section: v.string(), removed: v.array(v.string()), added: v.array(v.string()) }),
      ),
    }),
  errors: ['spawn.not_found', 'spawn.none', 'spawn.single'],
  cli: {
    command: 'spawn diff',
    positional: ['from', 'to'],
    examples: ['cleo spawn diff T012', 'cleo spawn diff T012.1 T012.3'],
  },
  human: ({ from, to, same, changes }, style) =>
    same
      ? [`${from} and ${to} are the same.`]
      : changes.flatMap(({ section, removed, added }) => [
          style.bold(section || 'opening'),
          ...removed.map((line) => style.red(`- ${line}`)),
          ...added.map((line) => style.green(`+ ${line}`)),
        ]),
  async run({ from, to }, { store }) {
    const first = await findSpawn(store, from)
    if ('ok' in first) return first
    const named = to !== undefined || first.id === from
    const [before, after] = named
      ? [first, await findSpawn(store, to ?? first.task)]
      : [await spawns.find(store, `${first.task}.${first.attempt - 1}`), first]
    if (after && 'ok' in after) return after
    if (!before || before.id === after.id) return fail('spawn.single', { task: first.task })
    const changes = differences(
      { spawnId: before.id, text: before.prompt },
      { spawnId: after.id, text: after.prompt },
    )
    return ok({ from: before.id, to: after.id, same: changes.length === 0, changes })
  },
})
