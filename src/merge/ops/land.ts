import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe, maxBytes } from '../../kernel/text.ts'
import type { Context } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { hasLanded } from '../../tasks/sql/merges.ts'
import * as tasks from '../../tasks/sql/tasks.ts'
import { branchOfEpic, writerFor } from '../../worktrees/integration.ts'
import { type LandingResult, landCodes, landEpic } from '../land.ts'
import { requestText } from '../landing-text.ts'

const flag = (about: string) => v.optional(describe(v.boolean(), about), false)
const taskShape = () => v.object({ id: v.string(), title: v.string() })

const shape = () =>
  v.object({
    epic: v.string(),
    /** The integration branch. */
    from: v.string(),
    /** The user's branch; missing if everything had already landed. */
    onto: v.optional(v.string()),
    /** `contained` if the user's branch already had all changes. */
    how: v.picklist(['fast-forward', 'merge', 'squash', 'contained']),
    /** The new commit of the user's branch. */
    commit: v.optional(v.string()),
    /** How many commits are added to the user's branch, not counting merges. */
    commits: v.number(),
    /** The tasks whose work lands. */
    tasks: v.array(taskShape()),
    /** How many files the landing changes. */
    files: v.number(),
    /** The changed files, but only the first few. */
    changed: v.array(v.string()),
    /** The checks that ran on the result. */
    checks: v.array(v.object({ tool: v.string(), command: v.string(), passed: v.optional(v.number()) })),
    tags: v.array(v.string()),
    /** Tasks that became ready. */
    unblocked: v.array(v.string()),
    /** Tasks that are out, and tasks whose work is not merged. Their work is not part of this landing. */
    left: v.array(v.object({ id: v.string(), title: v.string(), state: v.string() })),
    /** True if the integration branch was removed, because the epic is closed and has landed. */
    removed: v.optional(v.literal(true)),
    /** The text of a pull request, and the command that pushes the branch. */
    request: v.optional(v.object({ title: v.string(), bodyFile: v.string(), push: v.string() })),
    dryRun: v.optional(v.literal(true)),
    noChange: v.optional(v.literal(true)),
  })
type LandAnswer = v.InferOutput<ReturnType<typeof shape>>

export const land = operation({
  name: 'worktree.land',
  kind: 'mutate',
  tier: 1,
  summary: "Merge an epic's work into the branch it started from.",
  input: v.strictObject({
    epic: describe(TaskId, 'the epic to land'),
    onto: v.optional(
      describe(
        v.pipe(v.string(), v.minLength(1), maxBytes(250)),
        "branch to land on; default: the branch that was checked out when the epic's first task was spawned",
      ),
    ),
    squash: flag('land everything as one commit'),
    update: flag("first merge the --onto branch into the epic's integration branch"),
    pr: flag('write the text of a pull request instead of changing the branch'),
  }),
  output: shape,
  errors: ['input.invalid', 'task.not_found', 'land.part', ...landCodes],
  orchestratorOnly: true,
  runsCommands: true,
  cli: {
    command: 'land',
    suggestedFor: ['merge', 'push', 'ship', 'pr'],
    positional: ['epic'],
    examples: [
      'cleo land T001 --dry-run',
      'cleo land T001',
      'cleo land T001 --squash',
      'cleo land T001 --pr',
    ],
  },
  human: (data, style) => draw(data, style),
  async run({ epic: id, onto, squash, update, pr }, context) {
    if (pr && squash)
      return fail('input.invalid', {
        problems: [{ path: 'squash', message: 'cannot be combined with --pr' }],
      })
    const epic = await tasks.find(context.store, id)
    if (!epic) return fail('task.not_found', { id })
    if (epic.root !== id) return fail('land.part', { id, root: epic.root })
    const landed = await landEpic(context, epic, { onto, squash, update, request: pr })
    // An earlier command may have landed the work and been killed before it finished. This command has done the rest,
    // so it succeeds.
    if (!landed.ok && landed.code === 'land.none' && (await hasLanded(context.store, id)))
      return ok(nothingLeft(id))
    if (!landed.ok) return landed
    const result = landed.value
    const request = pr ? await writeRequest(context, { epic: id, title: epic.title }, result) : undefined
    return ok(answerOf(context, id, result, request), {
      warnings: [
        ...result.warnings,
        ...(result.checked?.flaky ?? []).map((tool) => `${tool} failed once and passed when run again`),
      ],
    })
  },
})

const nothingLeft = (epic: string): LandAnswer => ({
  ...{ epic, from: branchOfEpic(epic), how: 'contained', commits: 0, tasks: [], files: 0, changed: [] },
  ...{ checks: [], tags: [], unblocked: [], left: [], noChange: true },
})

const mostNamed = 20

const answerOf = (
  { dryRun }: Context,
  epic: string,
  {
    branch,
    onto,
    kind,
    commit,
    commits,
    tasks: landed,
    files,
    checked,
    tags,
    unblocked,
    left,
    dropped,
  }: LandingResult,
  request: LandAnswer['request'],
): LandAnswer => ({
  ...{ epic, from: branch, onto, how: kind, ...(commit && { commit }), commits },
  tasks: landed.map(({ id, title }) => ({ id, title })),
  files: files.length,
  changed: files.slice(0, mostNamed),
  checks: (checked?.passed ?? []).map(({ tool, command, counts }) => ({
    ...{ tool, command, ...(counts && { passed: counts.passed }) },
  })),
  ...{ tags, unblocked },
  left: left.map(({ id, title, merge, attempt_out }) => ({
    ...{ id, title },
    state: attempt_out > 0 ? 'out' : merge === 'refused' ? 'sent back' : 'not merged',
  })),
  ...(dropped && { removed: true as const }),
  ...(request && { request }),
  ...(dryRun && { dryRun: true as const }),
  ...(!dryRun &&
    !request &&
    kind === 'contained' &&
    landed.length === 0 &&
    !dropped && { noChange: true as const }),
})

/** Writes the body of a pull request to a file, and says how to push the branch. CLEO itself never pushes. */
const writeRequest = async (
  context: Context,
  { epic, title }: { epic: string; title: string },
  { branch, onto, tasks: landed }: LandingResult,
): Promise<NonNullable<LandAnswer['request']>> => {
  const { host, folder, dryRun } = context
  const text = requestText({ epic, title, tasks: landed })
  const bodyFile = `${folder}/pull-requests/${epic}.md`
  if (!dryRun) {
    host.files.makeFolder(`${folder}/pull-requests`, 0o700)
    host.files.replace(bodyFile, text.body, 0o600)
  }
  const git = writerFor(context)
  const configured = await git.run(['config', '--get', `branch.${onto}.remote`])
  const first = (await git.run(['remote'])).text.split('\n')[0]!
  const remote = configured.text.trim() || first || 'origin'
  return { title: text.title, bodyFile, push: `git push ${shellQuote(remote)} ${branch}` }
}

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const draw = (answer: LandAnswer, style: Style): string[] => {
  const {
    from,
    onto,
    how,
    commits,
    tasks: landed,
    files,
    changed,
    checks,
    tags,
    left,
    request,
    dryRun,
  } = answer
  if (onto === undefined) return [`${style.green('✓')} everything of ${style.cyan(answer.epic)} has landed`]
  const done = dryRun ? style.yellow('would land') : style.green('✓')
  const ran = checks.map(
    ({ command, passed }) => `; ${command}: ${passed === undefined ? 'passed' : `${passed} passed`}`,
  )
  const counts = `${plural(commits, 'commit')}, ${plural(landed.length, 'task')}`
  const first = request
    ? `${style.green('✓')} ${from} is ready for a pull request to ${onto}: ${counts}${ran.join('')}`
    : how === 'contained'
      ? answer.noChange
        ? `Nothing to land: ${onto} has everything of ${from}${ran.join('')}`
        : `${style.green('✓')} ${onto} has everything of ${from}${landed.length > 0 ? `: ${plural(landed.length, 'task')} landed` : ''}${ran.join('')}`
      : `${done} ${from} → ${onto}: ${counts}${ran.join('')}`
  const shown = changed.slice(0, 5)
  return [
    first,
    ...landed.map(({ id, title }) => `  ${style.cyan(id)} ${title}`),
    ...(files > 0
      ? [
          `  ${plural(files, 'file')}: ${shown.join(', ')}${files > shown.length ? ` and ${files - shown.length} more` : ''}`,
        ]
      : []),
    ...(tags.length > 0 ? [`  ${dryRun ? 'would tag' : 'tagged'} ${tags.join(', ')}`] : []),
    ...(answer.unblocked.length > 0 ? [`  now ready: ${answer.unblocked.join(', ')}`] : []),
    ...left.map(
      ({ id, title, state }) =>
        `  ${style.dim('not landed:')} ${style.cyan(id)} ${title} ${style.dim(`(${state === 'out' ? 'not received yet' : state})`)}`,
    ),
    ...(answer.removed ? [`  ${from} removed`] : []),
    ...(answer.noChange && left.length === 0
      ? [`  ${from} stays until ${answer.epic} is done or cancelled`]
      : []),
    ...(request
      ? [`  title: ${request.title}`, `  body: ${request.bodyFile}`, `  then: ${request.push}`]
      : []),
  ]
}
