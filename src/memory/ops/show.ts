import * as v from 'valibot'
import { NumberedId, numberedId } from '../../kernel/numbered-id.ts'
import { fail, ok } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { drawMemory, memoryShape, toMemory } from '../memory.ts'
import * as memory from '../sql.ts'

export const show = operation({
  name: 'memory.show',
  kind: 'query',
  tier: 0,
  summary: 'Show a memory and its source.',
  input: v.strictObject({ id: describe(NumberedId('M'), 'the memory, such as M12') }),
  output: memoryShape,
  errors: ['memory.not_found'],
  cli: { command: 'memory show', positional: ['id'], examples: ['cleo memory show M12'] },
  human: (data, style) => drawMemory(data, style),
  async run({ id: seq }, { store }) {
    const row = await memory.find(store, seq)
    if (!row) return fail('memory.not_found', { id: numberedId('M', seq) })
    const tasks = await memory.tasksOf(store, [seq])
    return ok(toMemory(row, tasks.get(seq)))
  },
})
