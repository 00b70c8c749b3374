import * as v from 'valibot'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { appendCodes, appendEntry } from '../append-entry.ts'
import { blockerCategories, entryStatuses } from '../entry.ts'

const said = (about: string) => v.optional(describe(v.string(), about))
const lines = (about: string) =>
  v.optional(v.pipe(describe(v.array(v.string()), about), v.metadata({ commas: false })))
const words = (about: string) => v.optional(describe(v.array(v.string()), about))

export const append = operation({
  name: 'pipeline.manifest.append',
  kind: 'mutate',
  tier: 0,
  summary: 'Hand in work: one entry, with what was found and the file that says it.',
  input: v.strictObject({
    entry: said('the entry as JSON, - for standard input; or say it with the flags below, which win'),
    status: v.optional(describe(v.picklist(entryStatuses), 'how far it got')),
    finding: lines('a finding, one sentence'),
    followup: lines('what is left to do: a task id, or a text; a partial entry needs one'),
    blocker: v.optional(describe(v.picklist(blockerCategories), 'what kind of thing stopped you')),
    text: said('why you are blocked'),
    alternative: lines('a way out you see'),
    warning: lines('something the reader should know'),
    topic: words('what it is about'),
    linkedTask: words('other tasks it concerns'),
    task: v.optional(describe(TaskId, 'the task; that of your spawn when left out')),
    file: said('the output file; the one of `cleo output new` when left out'),
    title: said("the task's when left out"),
    agentType: said("the protocol's when left out"),
    id: said('T012-slug; made of the title when left out'),
    revises: said('the entry that this one puts right'),
  }),
  output: () =>
    v.object({
      id: v.string(),
      task: v.string(),
      spawnId: v.optional(v.string()),
      status: v.picklist(entryStatuses),
      file: v.string(),
      sha256: v.string(),
      noChange: v.optional(v.literal(true)),
    }),
  errors: appendCodes,
  cli: {
    command: 'manifest append',
    positional: ['entry'],
    examples: [
      'cleo manifest append --status complete --finding "argon2id is the choice." --as T012.1',
      'cleo manifest append --status blocked --blocker "missing context" --text "No schema." --as T012.1',
      'cleo manifest append - --as T012.1 < entry.json',
    ],
  },
  human: ({ id, status, file, noChange }, style) => [
    noChange
      ? `${style.cyan(id)} is there already.`
      : `${style.green('✓')} ${style.cyan(id)} ${status}  ${file}`,
  ],
  run: (input, context) => appendEntry(context, input),
})
