import { gitRunnerAt } from '../git/run-git.ts'
import type { Host } from '../host/host.ts'
import { type AgentClient, clientNames } from '../kernel/client-names.ts'
import { lineEdits } from '../kernel/line-edits.ts'
import { type Failure, fail, ok, type Result } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { withFileLock } from '../store/sqlite/file-lock.ts'
import { makeWrittenFolders, removeWrittenFolders } from '../worktrees/written-folders.ts'
import { applyPlan } from './apply.ts'
import { clientFacts } from './client-facts.ts'
import { installedClients } from './installed.ts'
import { type SetupPlace, shownPath } from './place.ts'
import { type ClientPlan, isChanged, type PlannedFile, planSetup } from './plan.ts'
import { withRecognised } from './recognise.ts'
import type { SetupAnswer } from './setup-answer.ts'
import { recordAt } from './setup-record.ts'
import { applyUndo, planUndo, type UndoneFile } from './undo.ts'

interface Caller {
  host: Host
  dryRun: boolean
  /** The project; undefined for the home folder. */
  context?: Context
}

interface Call {
  client: AgentClient | undefined
  yes: boolean
  /** The command line of this call with --yes added, so that the command does not ask. */
  line: string
}

type SetupCode = 'client.none' | 'client.files' | 'client.unconfirmed'
type Answer = Result<SetupAnswer, SetupCode>

export const runSetup = (caller: Caller, place: SetupPlace, call: Call): Promise<Answer> =>
  locked(caller, place, call, async () => {
    const { host, dryRun } = caller
    const record = recordAt(host, place)
    const setUp = clientNames.filter((name) => record.clients[name] !== undefined)
    const found = clientNames.filter((name) => setUp.includes(name) || installedClients(host).includes(name))
    const clients = call.client ? [call.client] : found
    if (clients.length === 0) return fail('client.none', { names: clientNames })
    const plans: ClientPlan[] = []
    // Plan one client after the other. If two clients change the same file, the plan of the second must include the
    // change of the first.
    const planned = new Map<string, string>()
    const files: SetupAnswer['files'] = []
    const written: AgentClient[] = []
    let refused: Failure<'client.files'> | undefined
    for (const client of clients) {
      const plan = await planSetup(host, client, place, record, planned)
      plans.push(plan)
      const changed = plan.files.filter(isChanged)
      const why = plan.problems.length > 0 ? plan.problems : undefined
      if (!why) files.push(...changed.map((file) => describeFile(plan, file, place)))
      if (why || !call.yes || dryRun) {
        if (why) refused ??= refusedFor(client, why, place, written)
        else for (const { target, after } of changed) planned.set(target, after)
        continue
      }
      const done = applyPlan(host, plan, { folder: place.records, record, root: place.root })
      if (done.ok) {
        // Make the folders that agents write to, because the sandbox of Codex fails if one of them is missing.
        if (client === 'codex') makeWrittenFolders(host, projectOf(place))
        if (changed.length > 0) written.push(client)
      } else refused ??= refusedFor(client, [{ path: done.path, message: done.why }], place, written)
    }
    if (written.length > 0) await noteDone(caller, place, { client: written.join(', '), files })
    if (refused) return refused
    const kept = plans.flatMap((plan) => keptLines(plan, place))
    const more = { ...(kept.length > 0 && { kept }) }
    if (files.length === 0) return ok({ applied: false, files, noChange: true as const, ...more })
    if (!call.yes && !dryRun) return fail('client.unconfirmed', { files: files.length, line: call.line })
    const warnings = clients.includes('claude') ? await unignored(host, place) : []
    if (written.length === 0) return ok({ applied: false, files, ...more }, { warnings })
    return ok({ applied: true, files, ...more, next: nextSteps(written, place) }, { warnings })
  })

export const runUndo = (caller: Caller, place: SetupPlace, call: Call): Promise<Answer> =>
  locked(caller, place, call, async () => {
    const { host, dryRun } = caller
    const recorded = recordAt(host, place)
    const clients = call.client ? [call.client] : clientNames
    const { record, found } = await withRecognised(host, place, recorded)
    const plan = planUndo(host, clients, { folder: place.records, record, root: place.root })
    for (const path of Object.keys(plan.record.files))
      if (!recorded.files[path]) delete plan.record.files[path]
    plan.record.clients = Object.fromEntries(
      Object.entries(plan.record.clients).filter(([name]) => recorded.clients[name as AgentClient]),
    )
    if (plan.problems.length > 0)
      return refusedFor(
        call.client ?? clientNames.find((name) => record.clients[name])!,
        plan.problems,
        place,
        [],
      )
    const kept = plan.kept.map(({ path, what }) => ({
      path: shownPath(place, path),
      what: `${what}, which ${recorded.files[path] ? 'changed since CLEO wrote it' : 'differs from what this version of CLEO writes'}; remove it by hand if you do not need it`,
    }))
    const unrecorded = clients.filter((name) => found.includes(name))
    const warnings = unrecorded.length > 0 && plan.files.length > 0 ? [noRecordOf(unrecorded)] : []
    const files = plan.files
      .filter(({ how }) => how !== 'unchanged')
      .map((file) => describeUndone(file, place))
    const more = { ...(kept.length > 0 && { kept }) }
    if (!call.yes && !dryRun && files.length > 0)
      return fail('client.unconfirmed', { files: files.length, line: call.line })
    const nothing = { applied: false, files, ...more, noChange: true as const, next: whatRemains(place) }
    if (dryRun) return ok(files.length === 0 ? nothing : { applied: false, files, ...more }, { warnings })
    const done = applyUndo(host, place.records, plan)
    const project = projectOf(place)
    if (done.ok && project !== undefined && clients.includes('codex') && record.clients.codex !== undefined)
      removeWrittenFolders(host, project)
    if (!done.ok) return refusedFor(clients[0]!, [{ path: done.path, message: done.why }], place, [])
    if (files.length === 0) return ok(nothing, { warnings })
    await noteDone(caller, place, {
      undone: clients.filter((name) => record.clients[name]).join(', '),
      files,
    })
    const next = await stillThere(host, place, clients)
    return ok({ applied: true, files, ...more, ...(next.length > 0 && { next }) }, { warnings })
  })

/**
 * Returns what an undo prints if there is nothing to undo. Some people run `--undo` to remove CLEO from the project. So
 * the text also names the data that stays in the project, and the help page about removing CLEO.
 */
const whatRemains = (place: SetupPlace): string[] => [
  'No file of a client has an entry that CLEO wrote.',
  ...(projectOf(place) === undefined
    ? []
    : [
        'The data of the project stays: its .cleo/, worktrees and backups. To remove CLEO: cleo help removing',
      ]),
]

const noRecordOf = (clients: readonly AgentClient[]): string =>
  `this machine has no record of the set-up for ${titles(clients)}: only entries that CLEO recognises are removed, and the earlier content of these files cannot be restored`

/**
 * Lists the set-ups that still exist after an undo. They came with a clone, so CLEO did not write them on this
 * machine.
 */
const stillThere = async (
  host: Host,
  place: SetupPlace,
  clients: readonly AgentClient[],
): Promise<string[]> => {
  const { found } = await withRecognised(host, place, recordAt(host, place))
  return found
    .filter((name) => clients.includes(name))
    .map(
      (name) =>
        `${clientFacts[name].title}: files that this machine did not write still have entries of CLEO. To remove them: cleo setup ${name} ${place.scope === 'user' ? '--user ' : ''}--undo`,
    )
}

const titles = (clients: readonly AgentClient[]): string =>
  clients.map((name) => clientFacts[name].title).join(', ')

const projectOf = ({ scope, root }: SetupPlace): string | undefined =>
  scope === 'project' ? root : undefined

/**
 * Runs `work` under a lock, so that two set-ups cannot overwrite each other's record. A preview changes nothing and
 * needs no lock.
 */
const locked = (
  { host, dryRun }: Caller,
  { records }: SetupPlace,
  { yes }: Call,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  if (dryRun || !yes) return work()
  host.files.makeFolder(records, 0o700)
  return withFileLock(`${records}/setup.lock`, work)
}

const refusedFor = (
  client: AgentClient,
  problems: readonly { path: string; message: string }[],
  place: SetupPlace,
  written: readonly AgentClient[],
): Failure<'client.files'> =>
  fail('client.files', {
    title: clientFacts[client].title,
    written: written.map((name) => clientFacts[name].title),
    problems: problems.map(({ path, message }) => ({ path: shownPath(place, path), message })),
  })

const keptLines = ({ kept, client }: ClientPlan, place: SetupPlace) =>
  kept.map(({ path, what }) => ({
    path: shownPath(place, path),
    what: `${what} is yours; to use CLEO's, remove it and run cleo setup ${client} again`,
  }))

const linesIn = (text: string): number => text.split('\n').length - (text.endsWith('\n') ? 1 : 0)

const describeFile = (
  { client }: ClientPlan,
  { path, before, after, isOwn }: PlannedFile,
  place: SetupPlace,
): SetupAnswer['files'][number] => ({
  client,
  path: shownPath(place, path),
  change: before === undefined ? 'create' : 'change',
  ...(isOwn && before === undefined ? { lines: linesIn(after) } : { diff: lineDiff(before ?? '', after) }),
})

const changeOf = { restored: 'restore', deleted: 'delete', 'entries removed': 'remove entries' } as const

const describeUndone = (
  { path, how, before, after }: UndoneFile,
  place: SetupPlace,
): SetupAnswer['files'][number] => ({
  path: shownPath(place, path),
  change: changeOf[how as keyof typeof changeOf],
  ...(after !== undefined && { diff: lineDiff(before ?? '', after) }),
})

const nextSteps = (clients: readonly AgentClient[], { scope }: SetupPlace): string[] => [
  ...clients.flatMap((name) => {
    const { title, trust, approve, limits } = clientFacts[name]
    const steps = [trust, scope === 'project' ? approve : undefined].filter((each) => each !== undefined)
    return [...steps, ...limits].map((line) => `${title}: ${line}`)
  }),
  `check: cleo setup ${clients.length === 1 ? `${clients[0]} ` : ''}${scope === 'user' ? '--user ' : ''}--check`,
]

/**
 * Makes the folder of worktrees, because clients refuse settings that name a missing folder. Appends the set-up to the
 * audit log.
 */
const noteDone = async (
  { host, context }: Caller,
  { worktrees, scope }: SetupPlace,
  after: object,
): Promise<void> => {
  if (scope === 'project') host.files.makeFolder(worktrees, 0o700)
  await context?.write(async (tx) => {
    await tx.record({ after: { ...after, files: (after as SetupAnswer).files.map(({ path }) => path) } })
    return ok(null)
  })
}

const unignored = async (host: Host, { scope, root }: SetupPlace): Promise<string[]> => {
  const path = '.claude/settings.local.json'
  const git = scope === 'user' ? undefined : gitRunnerAt(host, root)
  // The first option is needed because CLEO starts every git command with `--literal-pathspecs`, and `check-ignore`
  // always fails with that option.
  const answer = await git?.run(['--no-literal-pathspecs', 'check-ignore', '-q', path])
  return git && git.fault() === undefined && answer === undefined
    ? [`git does not ignore ${path}, which holds paths of this machine: add it to .gitignore`]
    : []
}

/** How many lines are shown before and after each change. */
const nearLines = 3
const marks = { same: ' ', removed: '-', added: '+' }

/** Returns a unified diff of two texts, without a file header. Line ends are not shown. */
const lineDiff = (before: string, after: string): string[] => {
  const edits = lineEdits(linesOf(before), linesOf(after))
  const isNearChange = (i: number) =>
    edits.slice(Math.max(0, i - nearLines), i + nearLines + 1).some(({ kind }) => kind !== 'same')
  const shown: string[] = []
  for (const [i, { kind, line }] of edits.entries()) {
    if (isNearChange(i)) shown.push(marks[kind] + line.replace(/\r$/, ''))
    else if (shown.length > 0 && shown.at(-1) !== '…') shown.push('…')
  }
  return shown.at(-1) === '…' ? shown.slice(0, -1) : shown
}

const linesOf = (text: string): string[] => {
  const lines = text.replace(/^\uFEFF/, '').split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}
