import '../../host/file-system.ts'
import * as v from 'valibot'
import { nearest } from '../../kernel/nearest.ts'
import { gates } from '../../kernel/protocol.ts'
import { fail, ok } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { namesTool } from '../atoms.ts'
import { taskToVerify } from '../record-evidence.ts'
import { drawSubmitted, EvidenceText, submitCodes, submitEvidence, submittedShape } from '../submit.ts'

export const gate = operation({
  name: 'verify.gate',
  kind: 'mutate',
  tier: 0,
  summary: 'Prove that a task passes a gate; CLEO checks the evidence.',
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    gate: describe(text(100), `one of ${gates.join(', ')}`),
    evidence: EvidenceText,
  }),
  output: () => v.object({ id: v.string(), gate: v.picklist(gates), ...submittedShape() }),
  errors: [...submitCodes, 'gate.unknown'],
  runsCommands: ({ evidence }) => namesTool(evidence),
  tool: ['id', 'gate', 'evidence'],
  cli: {
    command: 'verify --gate',
    positional: ['id'],
    examples: [
      'cleo verify T012 --gate implemented --evidence "commit:HEAD;files:src/form.ts"',
      'cleo verify T012 --gate testsPassed --evidence "tool:test" --as T012.1',
    ],
  },
  human: ({ id, gate, ...submitted }, style) => drawSubmitted(`${style.cyan(id)} ${gate}`, submitted, style),
  async run({ id, gate: named, evidence }, context) {
    const found = gates.find((each) => each.toLowerCase() === named.toLowerCase())
    if (!found) return fail('gate.unknown', { gate: named, near: nearest(named, gates), id, known: gates })
    const task = await taskToVerify(context, id)
    if (!task.ok) return task
    const submitted = await submitEvidence(context, { task: task.value, gate: found }, evidence)
    if (!submitted.ok) return submitted
    return ok({ id, gate: found, ...submitted.value }, { warnings: submitted.warnings })
  },
})
