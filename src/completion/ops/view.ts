import * as v from 'valibot'
import { atomTexts } from '../../evidence/observed-atom.ts'
import { gates, protocols } from '../../kernel/protocol.ts'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { closed, stages } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import {
  isHeld,
  isMet,
  type MissingRequirement,
  type Requirements,
  requirementsOf,
} from '../../standing/missing-requirements.ts'
import { type Standing, standingOf } from '../../standing/standing.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { checkedRules } from '../permission.ts'

const gateStates = ['unset', 'passed', 'failed', 'stale', 'na', 'waived'] as const
const criterionStates = ['open', 'met', 'unmet', 'waived', 'stale'] as const

const shape = () =>
  v.object({
    id: v.string(),
    protocol: v.picklist(protocols),
    stage: v.picklist(stages()),
    /** Why the task has a contract. `nothing`: it has no contract and can be completed without evidence. */
    under: v.picklist(['spawn', 'config', 'nothing']),
    spawnId: v.optional(v.string()),
    /** The status in the manifest entry. */
    entryStatus: v.optional(v.picklist(['complete', 'partial', 'blocked'])),
    gates: v.array(
      v.object({
        gate: v.picklist(gates),
        state: v.picklist(gateStates),
        required: v.boolean(),
        why: v.optional(v.string()),
        evidence: v.optional(v.array(v.string())),
      }),
    ),
    criteria: v.array(
      v.object({
        n: v.number(),
        text: v.string(),
        state: v.picklist(criterionStates),
        why: v.optional(v.string()),
      }),
    ),
    /** Whether the task can be marked done now. */
    finished: v.boolean(),
    missing: v.array(v.object({ what: v.string(), why: v.string(), fix: v.optional(v.string()) })),
    /** The requirements that partial work leaves open. */
    open: v.optional(v.array(v.object({ what: v.string(), why: v.string() }))),
    /** The commands to run, in order. */
    next: v.array(v.string()),
  })
type View = v.InferOutput<ReturnType<typeof shape>>

export const view = operation({
  name: 'verify.view',
  kind: 'query',
  tier: 0,
  summary: 'Show the evidence and missing requirements of a task, and the next commands.',
  input: v.strictObject({ id: describe(TaskId, 'the task') }),
  output: shape,
  errors: ['task.not_found'],
  tool: ['id'],
  cli: {
    command: 'verify',
    suggestedFor: ['prove', 'test', 'evidence', 'gates'],
    positional: ['id'],
    examples: ['cleo verify T012', 'cleo verify T012 --as T012.1'],
  },
  human: (data, style) => draw(data, style),
  async run({ id }, context) {
    const task = await tasks.find(context.store, id)
    // The evidence of a closed task was checked when the task was closed, so it is not checked again.
    const isOpen = task === undefined || !closed(task.status)
    const standing = await standingOf(context, id, isOpen ? {} : { recheck: false })
    const { broken, warnings } = isOpen ? await checkedRules(context, standing) : { broken: [], warnings: [] }
    return ok(viewOf(standing, requirementsOf(standing, broken), isOpen), { warnings })
  },
})

const viewOf = (
  { task, protocol, stage, under, spawn, ...standing }: Standing,
  requirements: Requirements,
  isOpen: boolean,
): View => {
  const { todo, leftOpen } = requirements
  const isLeft = new Set(leftOpen.map(({ path }) => path))
  const required = todo.filter(({ path }) => !isLeft.has(path))
  const missing: MissingRequirement[] = isOpen ? required : required.map(({ fix: _, ...each }) => each)
  // A task without a contract needs no evidence, but can get some. So suggest the commands that add evidence.
  const unproved = under === 'nothing' && isOpen ? fixesOf(standing) : []
  const lines = [...missing.flatMap(({ fix }) => fix ?? []), ...unproved]
  return {
    id: task,
    protocol,
    stage,
    under,
    ...(spawn && { spawnId: spawn.id }),
    ...(standing.entry && { entryStatus: standing.entry.status }),
    gates: standing.gates.map(({ gate, state, required, why, evidence, waiver }) => ({
      gate,
      state,
      required,
      ...((why ?? waiver) && { why: why ?? waiver }),
      ...(evidence && evidence.length > 0 && { evidence: evidence.flatMap(atomTexts) }),
    })),
    criteria: standing.criteria.map(({ n, text, state, why }) => ({ n, text, state, ...(why && { why }) })),
    finished: requirements.missing.length === 0,
    missing: missing.map(({ path, message, fix }) => ({ what: path, why: message, ...(fix && { fix }) })),
    ...(leftOpen.length > 0 && { open: leftOpen.map(({ path, message }) => ({ what: path, why: message })) }),
    next: lines,
  }
}

const fixesOf = ({ gates, criteria }: Pick<Standing, 'gates' | 'criteria'>): string[] => [
  ...gates.flatMap((each) => (each.required && !isHeld(each) ? (each.fix ?? []) : [])),
  ...criteria.flatMap((each) => (isMet(each) ? [] : (each.fix ?? []))),
]

const marks: Record<string, string> = {
  passed: '✓',
  met: '✓',
  na: '–',
  waived: '–',
  unset: '·',
  open: '·',
}

const endLines = ({ finished, under, open, entryStatus }: View, style: Style): string[] => {
  if (!finished || under === 'nothing') return []
  if (entryStatus !== 'partial') return [`  ${style.green('nothing is missing')}`]
  const names = open?.map(({ what }) => what).join(', ')
  return [`  ${style.yellow('partial')}${names ? `, leaves open: ${names}` : ''}`]
}

const draw = (data: View, style: Style): string[] => {
  const mark = (state: string) =>
    marks[state] === '✓' ? style.green('✓') : marks[state] ? style.dim(marks[state]) : style.red('✗')
  const describeState = (state: string, why: string | undefined, evidence: readonly string[] = []) =>
    state === 'waived' && why ? `waived ${why}` : [state, why, evidence.join(', ')].filter(Boolean).join(': ')
  const reasons = {
    spawn: data.spawnId,
    config: 'gates.always',
    nothing: 'never spawned, so no evidence is required',
  }
  return [
    `${style.cyan(data.id)} ${data.protocol}  ${style.dim(reasons[data.under] ?? '')}`,
    ...style.table(
      [
        ...data.gates.map(({ gate, state, required, why, evidence }) => [
          `  ${mark(state)} ${gate}${required ? '' : ' (not required)'}`,
          describeState(state, why, evidence),
        ]),
        ...data.criteria.map(({ n, text, state, why }) => [
          `  ${mark(state)} criterion ${n}`,
          `${describeState(state, why)}  ${style.dim(text)}`,
        ]),
      ],
      1,
    ),
    ...data.missing
      .filter(({ what }) => !data.gates.some(({ gate }) => gate === what) && !what.startsWith('criterion '))
      .map(({ what, why }) => `  ${style.red('✗')} ${what}: ${why}`),
    ...(data.next.length > 0 ? ['', 'next:', ...data.next.map((line) => `  ${line}`)] : []),
    ...endLines(data, style),
  ]
}
