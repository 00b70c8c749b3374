import * as v from 'valibot'
import { protocols } from '../kernel/protocol.ts'
import { criterionStates, priorities, sizes, stages, statuses, types } from '../kernel/task.ts'
import { Description, Files, Labels, NoteText, Title } from '../kernel/task-fields.ts'
import { TaskId } from '../kernel/task-id.ts'
import { Count, Name, Time } from './record-fields.ts'

/** The first line of an export. */
export const header = { cleo: 'export', version: 1 } as const

const distinct = <S extends v.GenericSchema<string, string>>(item: S) =>
  v.optional(
    v.pipe(
      v.array(item),
      v.check((all) => new Set(all).size === all.length, 'says one thing twice'),
    ),
    [],
  )

const Note = v.strictObject({ seq: Count, at: Time, by: Name, text: NoteText, session: v.optional(Name) })
const Criterion = v.strictObject({
  n: Count,
  text: Name,
  source: v.picklist(['given', 'description']),
  state: v.picklist(criterionStates),
})

/** What may stand on a line, by the word in its `record`. Lengths of lists are not limited: what is stored is there. */
export const records = {
  counter: v.strictObject({ record: Name, name: Name, value: Count }),
  task: v.strictObject({
    record: Name,
    id: TaskId,
    title: Title,
    description: v.optional(Description, ''),
    type: v.picklist(types),
    parent: v.optional(TaskId),
    status: v.picklist(statuses),
    reason: v.optional(Name),
    priority: v.picklist(priorities),
    size: v.picklist(sizes),
    stage: v.optional(v.picklist(stages)),
    completes: v.optional(v.picklist(['auto', 'manual']), 'auto'),
    origin: Name,
    outcome: v.optional(v.picklist(['complete', 'partial'])),
    epoch: Count,
    createdAt: Time,
    updatedAt: Time,
    completedAt: v.optional(Time),
    depends: distinct(TaskId),
    labels: distinct(Labels.pipe[0].item),
    files: distinct(Files.pipe[0].item),
    criteria: v.optional(v.array(Criterion), []),
    notes: v.optional(v.array(Note), []),
  }),
  session: v.strictObject({
    record: Name,
    seq: Count,
    id: Name,
    name: Name,
    scope: v.optional(TaskId),
    status: v.picklist(['active', 'ended']),
    actor: Name,
    startedAt: Time,
    endedAt: v.optional(Time),
    notes: v.optional(v.array(Note), []),
  }),
  claim: v.strictObject({
    record: Name,
    task: TaskId,
    owner: Name,
    epoch: Count,
    state: v.picklist(['held', 'lost']),
    expiresAt: Time,
  }),
  focus: v.strictObject({
    record: Name,
    session: v.optional(v.string(), ''),
    agent: Name,
    task: TaskId,
    since: Time,
  }),
  spawn: v.strictObject({
    record: Name,
    seq: Count,
    id: Name,
    task: TaskId,
    attempt: Count,
    protocol: v.picklist(protocols),
    tier: Count,
    hash: Name,
    tokens: Count,
    actor: Name,
    session: v.optional(Name),
    at: Time,
    startedAt: v.optional(Time),
    asked: v.unknown(),
    report: v.unknown(),
    prompt: v.string(),
  }),
  entry: v.strictObject({
    record: Name,
    seq: Count,
    id: Name,
    task: TaskId,
    spawn: v.optional(Name),
    status: v.picklist(['complete', 'partial', 'blocked']),
    body: Name,
    sha256: v.optional(Name),
    lineSha256: v.optional(v.string(), ''),
    place: v.optional(v.string(), ''),
    origin: v.optional(v.picklist(['append', 'line']), 'append'),
    appendedAt: Time,
  }),
  audit: v.strictObject({
    record: Name,
    seq: Count,
    at: Time,
    actor: Name,
    session: v.optional(Name),
    operation: Name,
    task: v.optional(v.string()),
    before: v.optional(v.unknown()),
    after: v.optional(v.unknown()),
  }),
}
export type Kind = keyof typeof records
export type Of<K extends Kind> = v.InferOutput<(typeof records)[K]>
