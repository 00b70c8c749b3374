import type { AgentKind, AgentProcesses } from '../agent-processes/agent.ts'
import { ownProcess } from '../host/node-process-identity.ts'
import { fail, ok, Refused, type Result } from '../kernel/result.ts'
import type { CallingContext, Live } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { endOfLog, runFolder } from './agents-of-run.ts'
import type { DriverNow, RunPicture } from './draw-run.ts'
import { type DriveEnd, type DriveOptions, drive, planWaits } from './driver.ts'
import type { Proposal } from './plan.ts'
import { type RunReport, reportOf } from './report.ts'
import { markdownOf } from './report-text.ts'
import { runId } from './run-id.ts'
import { type RunOptions, sandboxOf } from './run-options.ts'
import type { RunRow } from './sql.ts'
import * as runs from './sql.ts'

export interface AgentRoom {
  kind: AgentKind
  processes: AgentProcesses
}

/** If two runs begin for one epic at the same time, the store refuses one of them. */
export const recordRun = (
  context: CallingContext,
  epic: string,
  options: RunOptions,
): Promise<Result<RunRow, 'run.active'>> =>
  context.write(async ({ db, now, actor, record }) => {
    const live = await runs.liveOf(db, epic)
    if (live) return fail('run.active', { id: runId(live.seq), epic, by: live.actor, isDriven: true })
    const seq = await runs.insert(db, {
      ...{ epic, state: 'running', options: JSON.stringify(options), epoch: 1, actor: actor.id },
      ...{ driver: JSON.stringify(ownProcess()), at: now, seen_at: now },
    })
    await record({ task: epic, after: { run: runId(seq), agent: options.agent } })
    return ok((await runs.find(db, seq))!)
  })

export const takeRunOver = (
  context: CallingContext,
  run: RunRow,
  options: RunOptions,
): Promise<Result<RunRow, 'run.replaced' | 'run.active'>> =>
  context.write(async ({ db, now, record }) => {
    const live = await runs.liveOf(db, run.epic)
    if (live && live.seq !== run.seq)
      return fail('run.active', { id: runId(live.seq), epic: run.epic, by: live.actor, isDriven: true })
    const taken = await runs.takeOver(db, run, {
      ...{ options: JSON.stringify(options), driver: JSON.stringify(ownProcess()), now },
    })
    if (taken === undefined) return fail('run.replaced', { id: runId(run.seq) })
    // Requests to stop that came before this event were for an earlier driver. The new driver ignores them.
    const event = { run: run.seq, at: now, kind: 'taken over', task: null, spawn: null, data: null }
    await runs.addEvents(db, [event])
    await record({ task: run.epic, after: { run: runId(run.seq), resumed: taken } })
    return ok((await runs.find(db, run.seq))!)
  })

/**
 * Drives a run in which an agent first splits the epic into tasks. The tasks are started only after a person said
 * yes. A person can say yes beforehand (`isAccepted`) or with a key at a terminal. Otherwise the run stops, and the
 * person can say yes later with `cleo run resume`.
 */
export const driveFromPlan = async (
  context: CallingContext,
  run: RunRow,
  options: RunOptions,
  room: AgentRoom,
  isAccepted: boolean,
): Promise<Result<Proposal | RunReport, 'run.replaced' | 'run.active'>> => {
  const driven = await driveToEnd(context, run, options, room)
  if (!driven.ok || driven.value.why !== planWaits) return driven
  const { askAtTerminal, planOf } = await import('./plan.ts')
  const plan = await planOf(context, run.epic)
  if (!plan) return driven
  const id = runId(run.seq)
  if (!isAccepted && !(await askAtTerminal(context, plan)))
    return ok({ ...plan, run: id, then: `cleo run resume ${id}` })
  const { plan: _, ...rest } = options
  const taken = await takeRunOver(context, (await runs.find(context.store, run.seq))!, rest)
  return taken.ok ? driveToEnd(context, taken.value, rest, room) : taken
}

export const driveToEnd = async (
  context: CallingContext,
  run: RunRow,
  options: RunOptions,
  { kind, processes }: AgentRoom,
): Promise<Result<RunReport & { landed?: boolean }, 'run.replaced'>> => {
  const id = runId(run.seq)
  const { live, host, folder } = context
  host.files.makeFolder(runFolder(folder, id), 0o700)
  const at = await context.store.now()
  const epic = await tasks.find(context.store, run.epic)
  const title = `${id}  ${run.epic} ${epic?.title ?? ''}  ${options.agent}, ${options.parallel} at once`
  live?.tell({ run: id, at, kind: run.epoch > 1 ? 'resumed' : 'begun', text: title })
  const view = live?.show ? await liveView(context, live.show, { id, epic: run.epic, title }) : undefined
  const end: DriveEnd = await driveOrSayHowToResume(id, {
    ...{ context, processes, kind, options },
    run: { seq: run.seq, id, epic: run.epic, epoch: run.epoch },
    tell: (news) => {
      view?.picture?.hear(news)
      live?.tell(news)
    },
    ...(view && { show: view.begin }),
    ...(live && { onInterrupt: (heard: () => void) => live.onInterrupt(heard) }),
  })
  if (end.state === 'replaced') return fail('run.replaced', { id })
  const landed =
    options.land && end.state === 'finished'
      ? await context.call('worktree.land', { epic: run.epic }, undefined, sandboxOf(options))
      : undefined
  const report = await reportOf(context, (await runs.find(context.store, run.seq))!)
  const hooked = await context.write(async (tx) => {
    if (end.state === 'finished') tx.emit('run.finished', run.epic, { run: id })
    return ok(undefined)
  })
  host.files.replace(`${runFolder(folder, id)}/report.md`, markdownOf(report), 0o600)
  const isLanded = landed?.ok === true
  const warnings = [
    ...(landed && !landed.ok ? [`not landed: ${landed.message}`] : []),
    ...(hooked.warnings ?? []),
  ]
  const exit = landed && !landed.ok ? landed.exit : exitOf(report)
  return ok(
    { ...report, ...(isLanded && { landed: true, then: `cleo run show ${id} --markdown` }) },
    { warnings, ...(exit > 0 && { exit }) },
  )
}

/**
 * If the store cannot be written, for example because the disk is full, the driver ends with a refusal. This function
 * adds to the refusal the command that resumes the run.
 */
const driveOrSayHowToResume = async (id: string, options: DriveOptions): Promise<DriveEnd> => {
  try {
    return await drive(options)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { failure } = error
    const alternatives = [
      ...(failure.alternatives ?? []),
      `To go on with the run after that: cleo run resume ${id}`,
    ]
    throw new Refused({ ...failure, alternatives })
  }
}

/** The driver calls `begin`, which starts the view. */
const liveView = async (
  context: CallingContext,
  show: NonNullable<Live['show']>,
  { id, epic, title }: { id: string; epic: string; title: string },
): Promise<{ picture?: RunPicture; begin(now: DriverNow): void }> => {
  const { runPicture } = await import('./draw-run.ts')
  const plan = await context.call('orchestrate.analyze', { epic })
  const rows = await tasks.descendants(context.store, epic)
  const view: { picture?: RunPicture; begin(now: DriverNow): void } = {
    begin: (now) => {
      view.picture = runPicture(now, {
        title,
        waves: plan.ok ? (plan.value as { waves: string[][] }).waves : [],
        titles: new Map(rows.map((each) => [each.id, each.title])),
        endOfLog: (spawn) => {
          const read = endOfLog(context, id, spawn, 16 * 1024)
          return read.ok ? read.text : ''
        },
        now: context.host.now,
      })
      show(view.picture)
    },
  }
  return view
}

const exitOf = ({ state, waiting }: RunReport): number => (waiting > 0 ? 64 : state === 'stopped' ? 1 : 0)
