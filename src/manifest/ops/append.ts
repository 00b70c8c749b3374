import '../../host/file-system.ts'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { isObject } from '../../kernel/json-object.ts'
import { fail } from '../../kernel/result.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { appendCodes, appendEntry } from '../append-entry.ts'
import { blockerCategories, entryStatuses, maxEntryBytes } from '../entry.ts'
import { isDeeper, maxDepth, type WrittenFields } from '../parse-object.ts'

const string = (about: string, limit: number = inputLimits.value) =>
  v.optional(describe(v.pipe(v.string(), maxBytes(limit)), about))
/** A list whose items can contain commas. So the command line does not split it at commas. */
const sentences = (about: string) =>
  v.optional(v.pipe(describe(v.array(v.string()), about), v.metadata({ commas: false })))
const words = (about: string) => v.optional(describe(v.array(v.string()), about))

const input = v.strictObject({
  entry: string(
    'the entry as JSON, or - for standard input; flags override its fields',
    inputLimits.entryText,
  ),
  status: v.optional(describe(v.picklist(entryStatuses), 'outcome of the work')),
  finding: sentences('a finding, one sentence'),
  followup: sentences('what is left to do: a task id or text; a partial entry needs at least one'),
  blocker: v.optional(describe(v.picklist(blockerCategories), 'what kind of problem blocks you')),
  text: string('why you are blocked', maxEntryBytes),
  alternative: sentences('a possible solution for the blocker'),
  warning: sentences(
    'a warning for readers; one that begins with "files: " says why no declared file was changed',
  ),
  noTests: string('why the change has no tests'),
  tag: string('tag of the release, such as v2.3.0; cleo land creates it'),
  topic: words('what the entry is about'),
  linkedTask: words('other tasks that the entry concerns'),
  task: v.optional(describe(TaskId, 'the task; default: the task of your spawn')),
  file: string('the output file; default: the one made by `cleo output new`'),
  title: string("the entry's title; default: the task's title"),
  agentType: string("your agent type; default: the protocol's agent type"),
  id: string("the entry's id, such as T012-password-hashing; default: made from the title"),
  revises: string('the entry that this one replaces; fields that you leave out are taken from it'),
})
type AppendInput = v.InferOutput<typeof input>

export const append = operation({
  name: 'pipeline.manifest.append',
  kind: 'mutate',
  tier: 0,
  summary: "Submit a task's result: one manifest entry and its output file.",
  input,
  output: () =>
    v.object({
      id: v.string(),
      taskId: v.string(),
      spawnId: v.optional(v.string()),
      status: v.picklist(entryStatuses),
      file: v.string(),
      /** Hash of the output file. */
      sha256: v.string(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: appendCodes,
  tool: ['task', 'status', 'finding', 'followup'],
  cli: {
    command: 'manifest append',
    positional: ['entry'],
    examples: [
      'cleo manifest append --status complete --finding "argon2id is the choice." --as T012.1',
      'cleo manifest append --status complete --finding "…" --warning "files: the bug was elsewhere" --as T012.1',
      'cleo manifest append --status blocked --blocker "missing context" --text "No schema." --as T012.1',
      'cleo manifest append - --as T012.1 < entry.json',
    ],
  },
  human: ({ id, status, file, noChange }, style) => [
    noChange
      ? `${style.cyan(id)} was already submitted.`
      : `${style.green('✓')} ${style.cyan(id)} ${status}  ${file}`,
  ],
  async run(input, context) {
    const fields = fieldsOf(input)
    if ('problem' in fields) return fail('input.invalid', { problems: [fields.problem] })
    return appendEntry(context, fields.fields, input.task)
  },
})

type ParsedFields = { fields: WrittenFields } | { problem: { path: string; message: string } }

/** Flags override JSON. */
const fieldsOf = (input: AppendInput): ParsedFields => {
  const json = input.entry === undefined ? { fields: {} as WrittenFields } : parseEntry(input.entry)
  if ('problem' in json) return json
  const { blocker: jsonBlocker } = json.fields
  const blocker = { category: input.blocker, text: input.text, alternatives: input.alternative }
  const flags: WrittenFields = {
    status: input.status,
    key_findings: input.finding,
    needs_followup: input.followup,
    warnings: input.warning,
    no_tests: input.noTests,
    tag: input.tag,
    topics: input.topic,
    linked_tasks: input.linkedTask,
    file: input.file,
    title: input.title,
    agent_type: input.agentType,
    id: input.id,
    revises: input.revises,
    ...(Object.values(blocker).some((value) => value !== undefined) && {
      blocker: { ...(isObject(jsonBlocker) ? jsonBlocker : {}), ...defined(blocker) },
    }),
  }
  return { fields: { ...json.fields, ...defined(flags) } }
}

const defined = (fields: WrittenFields): WrittenFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const parseEntry = (text: string): ParsedFields => {
  const problem = (message: string) => ({ problem: { path: 'entry', message } })
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    if (!isObject(value)) return problem('is JSON, but not an object')
    return isDeeper(value, maxDepth)
      ? problem(`is nested more than ${maxDepth} levels deep`)
      : { fields: value }
  } catch {
    return problem('is not JSON; expected an object such as {"status":"complete","key_findings":["…"]}')
  }
}
