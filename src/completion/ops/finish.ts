import '../../host/file-system.ts'
import * as v from 'valibot'
import { inputLimits } from '../../kernel/input-limits.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import { blockerCategories, entryStatuses, maxEntryBytes } from '../../manifest/entry.ts'
import { operation } from '../../operation/operation.ts'
import { finishWork, finishWorkCodes } from '../finish-work.ts'

const string = (about: string, limit: number = inputLimits.value) =>
  v.optional(describe(v.pipe(v.string(), maxBytes(limit)), about))
/** A list whose items can contain commas, so the command line does not split them at commas. */
const sentences = (about: string) =>
  v.optional(v.pipe(describe(v.array(v.string()), about), v.metadata({ commas: false })))
const words = (about: string) => v.optional(describe(v.array(v.string()), about))
const Criterion = v.pipe(
  v.string(),
  maxBytes(16_384),
  v.regex(/^\s*\d{1,4}\s*=/, 'must be a number, = and evidence, such as 1=files:test/a.test.ts'),
)

const stateText = (status: string, merge: 'pending' | undefined): string => {
  if (status === 'active') return 'submitted; the run checks it'
  if (merge) return 'submitted; waits for receive'
  return status === 'pending' ? 'is split; it will be done when its last child is done' : status
}

export const finish = operation({
  name: 'tasks.finish',
  kind: 'mutate',
  tier: 0,
  summary: "Submit a task's result, check its evidence and mark the task done.",
  input: v.strictObject({
    id: describe(TaskId, 'the task'),
    finding: sentences('a finding, one sentence: what the next agent needs to know'),
    summary: string(
      'what was done; fills in the Summary of the output file if the Summary is empty',
      maxEntryBytes,
    ),
    criterion: v.optional(
      v.pipe(
        describe(v.array(Criterion), 'evidence for a criterion, such as 1=files:test/a.test.ts'),
        v.metadata({ commas: false }),
      ),
    ),
    status: v.optional(describe(v.picklist(entryStatuses), 'outcome of the work; default: complete')),
    open: sentences('what is left to do: a task id or text; partial work needs at least one'),
    category: v.optional(describe(v.picklist(blockerCategories), 'what kind of problem blocks you')),
    why: string('why you are blocked', maxEntryBytes),
    alternative: sentences('a possible solution for what blocks you'),
    noTests: string('why the work needs no new tests'),
    tag: string('tag of the release, such as v2.3.0; cleo land creates it'),
    warning: sentences(
      'a warning for readers; one that begins with "files: " says why no declared file was changed',
    ),
    topic: words('what the result is about'),
    link: words('other tasks that the result concerns'),
    file: string('the output file; default: the one that `cleo focus set` makes'),
  }),
  output: () =>
    v.object({
      id: v.string(),
      /**
       * `pending` if the task was split; it is done when its last child is done. `active` if a run still has to
       * complete the task.
       */
      status: v.picklist(['done', 'blocked', 'pending', 'active']),
      /** The status in the manifest entry. */
      outcome: v.picklist(entryStatuses),
      /** The manifest entry; undefined if the task was never spawned and nothing was reported. */
      entryId: v.optional(v.string()),
      /** The requirements that hold: gates, criteria, focus, entry and output file. */
      held: v.array(v.string()),
      /** Tasks that became ready. */
      unblocked: v.array(v.string()),
      /** Parents that became done together with the task. */
      completed: v.optional(v.array(v.string())),
      /** The line that the subagent has to return. */
      return: v.optional(v.string()),
      /** Set if the work is on its own branch and waits until the orchestrator receives it. */
      merge: v.optional(v.literal('pending')),
      /** Set if the agent works in a run. The run proves the remaining gates and completes the task. */
      submitted: v.optional(v.literal(true)),
      noChange: v.optional(v.literal(true)),
    }),
  errors: finishWorkCodes,
  runsCommands: true,
  tool: ['id', 'finding', 'criterion', 'status', 'open', 'category', 'why', 'noTests'],
  cli: {
    command: 'finish',
    suggestedFor: ['submit', 'deliver', 'return'],
    positional: ['id'],
    examples: [
      'cleo finish T012 --finding "…" --criterion 1=files:test/form.test.ts --as T012.1',
      'cleo finish T012 --status partial --open "mails are not sent yet" --as T012.1',
      'cleo finish T012 --status blocked --category "missing context" --why "No schema." --as T012.1',
    ],
  },
  human: (
    { id, status, outcome, entryId, held, completed, unblocked, return: line, merge, noChange },
    style,
  ) => [
    noChange
      ? `${style.cyan(id)} was already ${merge ? 'submitted; it waits for receive' : status}.`
      : `${status === 'blocked' ? style.red('■') : style.green('✓')} ${style.cyan(id)} ${stateText(status, merge)}${outcome === 'partial' ? ' (partial)' : ''}${entryId ? `  ${entryId}` : ''}`,
    ...(held.length > 0 && !noChange ? [`  ${style.dim(held.join(', '))}`] : []),
    ...(completed ? [`  also done: ${completed.join(', ')}`] : []),
    ...(unblocked.length > 0 ? [`  now ready: ${unblocked.join(', ')}`] : []),
    ...(line ? [`  return: ${line}`] : []),
  ],
  run: ({ id, criterion = [], summary, ...report }, context) =>
    finishWork(context, id, {
      report,
      ...(summary !== undefined && { summary }),
      criteria: criterion.map((text) => {
        const equals = text.indexOf('=')
        return { n: Number(text.slice(0, equals)), text: text.slice(equals + 1) }
      }),
    }),
})
