import type {
  AgentEnd,
  AgentFiles,
  AgentKind,
  AgentNote,
  AgentProcesses,
  AgentRecord,
  AgentTask,
  RunningAgent,
} from '../agent-processes/agent.ts'
import { agentFiles } from '../agent-processes/processes.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { removeFile } from '../host/permissions.ts'
import { type ReadInside, tailInside } from '../host/safe-read.ts'
import { Refused } from '../kernel/result.ts'
import type { CallingContext } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { commandWords } from '../project-commands/project-commands.ts'
import { writeProblem } from '../store/sqlite/errors.ts'
import { worktreeVariables } from '../worktrees/ports.ts'
import {
  type CheckoutMarks,
  changedOutside,
  type WatchedCheckout,
  watchedCheckout,
} from './checkout-marks.ts'
import { uncountedEnd } from './failure-class.ts'
import type { Ledger } from './ledger.ts'
import { endOfContinued, refusedText } from './own-session.ts'
import type { RunOptions } from './run-options.ts'
import { type RunUsage, totalUsage, type UsedBefore } from './run-usage.ts'
import type { RunAgentRow } from './sql.ts'
import * as runs from './sql.ts'

/** What the live view shows about a running agent. `action` is the agent's last known action. */
export interface AgentNow {
  task: string
  spawn: string
  since: number
  action?: string
  usage: RunUsage
}

export interface AgentsOfRun {
  /**
   * Starts the agent of a spawn. Resolves with undefined once the agent runs, or with the reason why it could not be
   * started.
   */
  start(task: string, spawn: string): Promise<{ problem: string } | undefined>
  /** Follows an agent that an earlier driver of this run started. */
  adopt(row: RunAgentRow): Promise<void>
  end(spawn: string, why: string): Promise<void>
  running(): string[]
  now(): AgentNow[]
}

export interface AgentsOptions {
  context: CallingContext
  processes: AgentProcesses
  kind: AgentKind
  run: { seq: number; id: string }
  options: RunOptions
  ledger: Ledger
  onUsage(spawn: string, usage: RunUsage): void
  onEnd(task: string, spawn: string, end: AgentEnd, submitted: boolean): void
  onError(error: unknown): void
}

export const agentsOfRun = (given: AgentsOptions): AgentsOfRun => {
  const { context, processes, kind, run, options, ledger } = given
  const live = new Map<string, { agent: RunningAgent; now: AgentNow }>()
  const checkout = watchedCheckout(context)

  const follow = (agent: RunningAgent, now: AgentNow, before: UsedBefore, marks?: CheckoutMarks): void => {
    live.set(now.spawn, { agent, now })
    agent.ended
      .then(async (found) => {
        const end = before.isContinued ? endOfContinued(found) : found
        const usage = totalUsage(before, { ...end.tokens, cost: end.cost }, options)
        const submitted = await runs.isSubmitted(context.store, now.spawn)
        if (!submitted) refuseClosedStore(context)
        const remarks = await remarksOn(checkout, end, marks)
        await ledger.record(
          {
            kind: 'ended',
            task: now.task,
            spawn: now.spawn,
            data: {
              ...shownEnd(end),
              ...(submitted && { submitted }),
              ...(remarks.length > 0 && { remarks }),
            },
          },
          (db, at) =>
            runs.endAgent(db, now.spawn, {
              ...{ ending: JSON.stringify(end), usage: JSON.stringify(usage), now: at },
              session: end.session ?? null,
              isSessionLost: end !== found,
            }),
        )
        live.delete(now.spawn)
        given.onUsage(now.spawn, usage)
        given.onEnd(now.task, now.spawn, end, submitted)
      })
      .catch(given.onError)
  }

  const listener = (now: AgentNow, before: UsedBefore) => (note: AgentNote) => {
    if (note.kind === 'action' || note.kind === 'message') now.action = note.text
    if (note.kind !== 'tokens') return
    now.usage = totalUsage(before, note, options)
    given.onUsage(now.spawn, now.usage)
  }

  return {
    start: async (task, spawn) => {
      const earlier = await runs.agentOf(context.store, spawn)
      const work = await agentTask(context, run.id, spawn)
      if (earlier?.client_session && kind.resumes) work.resume = earlier.client_session
      const refused = earlier && (await refusedText(context, earlier))
      if (refused) work.prompt = work.resume ? refused : `${work.prompt}\n\n${refused}`
      const before = usedBefore(earlier, work.resume)
      const now: AgentNow = { task, spawn, since: context.host.now(), usage: before }
      const files = agentFiles(context.root, run.id, spawn)
      // Remove the file that says how the earlier process ended. Otherwise the new process would seem to have
      // ended.
      if (context.host.files.kind(files.end) === 'file') removeFile(files.end)
      // Read the commands from the checkout, because the agent can change its worktree.
      const allowed = Object.values(await commandWords(context, context.root)).map((words) => words.join(' '))
      const agent = await processes.start({
        kind: kind.name,
        launch: await kind.launch(context.host, work, { ...options, allowed }),
        files,
        limits: {
          ...(options.idleMs !== undefined && { idleMs: options.idleMs }),
          ...(options.totalMs !== undefined && { totalMs: options.totalMs }),
        },
        onLoss: options.onLoss,
        onNote: listener(now, before),
      })
      if ('problem' in agent) return agent
      // Record the agent before it starts, so that a driver that takes over the run finds the agent. If this driver was
      // already replaced, recording throws an error, and the agent never starts.
      await ledger.record(
        {
          kind: 'started',
          task,
          spawn,
          data: {
            ...{ agent: kind.name, folder: work.folder, session: work.resume ? 'continued' : 'new' },
            ...(earlier && { again: true }),
            ...(refused && { sentBack: true }),
          },
        },
        async (db, at) => {
          await runs.putAgent(db, {
            ...{ spawn, run: run.seq, task, agent: kind.name, marker: agent.marker, state: 'running', at },
            watcher: JSON.stringify({ ...agent.watcher, files }),
            client_session: earlier?.client_session ?? null,
          })
          // The spawn is marked as returned. Remove this mark. Otherwise a driver that takes over the run would mistake
          // the old refusal for a new one.
          if (refused) await spawns.markNotReturned(db, spawn)
        },
      )
      const marks = work.folder === context.root ? undefined : await checkout.before()
      agent.go()
      follow(agent, now, before, marks)
      return undefined
    },
    adopt: async (row) => {
      const { files, ...watcher } = JSON.parse(row.watcher ?? '{}') as AgentRecord['watcher'] & {
        files: AgentFiles
      }
      const before = usedBefore(row, kind.resumes ? row.client_session : null)
      const now: AgentNow = { task: row.task, spawn: row.spawn, since: Number(row.at), usage: before }
      const agent = await processes.adopt({ watcher, marker: row.marker, files }, listener(now, before))
      follow(agent, now, before)
    },
    end: async (spawn, why) => void (await live.get(spawn)?.agent.end(why)),
    running: () => [...live.keys()],
    now: () => [...live.values()].map(({ now }) => now),
  }
}

/**
 * Throws a refusal if agents cannot write the store, for example because the disk is full. No agent could submit its
 * work, so the run ends with this refusal. A person can resume the run later.
 */
const refuseClosedStore = ({ store }: Pick<CallingContext, 'store'>): void => {
  const problem = store.dialect.name === 'sqlite' ? writeProblem(store.where) : undefined
  if (problem) throw new Refused(problem)
}

const usedBefore = (row: RunAgentRow | undefined, session: string | null | undefined): UsedBefore => ({
  ...(row?.usage ? (JSON.parse(row.usage) as RunUsage) : { tokens: 0, cost: 0 }),
  isContinued: Boolean(session),
})

/** If an agent prints at least this many bytes, the report says how much it printed. */
const muchOutput = 100_000_000

const remarksOn = async (
  checkout: WatchedCheckout,
  { ending, signal, leftBehind, bytes, reason }: AgentEnd,
  before: CheckoutMarks | undefined,
): Promise<string[]> => {
  const after = before && (await checkout.after())
  const uncounted = uncountedEnd({ ending, ...(reason !== undefined && { reason }) })
  const isKilled =
    signal === 'SIGKILL' && (ending === 'idle' || ending === 'too long' || ending === 'ended by us')
  return [
    ...(uncounted === undefined ? [] : [uncounted]),
    ...(isKilled ? ['ignored SIGTERM'] : []),
    ...(leftBehind > 0 ? [`left ${leftBehind} ${leftBehind === 1 ? 'process' : 'processes'} behind`] : []),
    ...(bytes >= muchOutput ? [`printed ${Math.round(bytes / 1_000_000)} MB`] : []),
    ...(before && after ? changedOutside(before, after) : []),
  ]
}

/**
 * Returns the data of the event that is written when an agent has ended. Leaves out the agent's last message, which
 * can be long.
 */
const shownEnd = ({
  ending,
  reason,
  code,
  signal,
  denied,
  cleoMissing,
  leftBehind,
  bytes,
}: AgentEnd): object => ({
  ...{ ending, bytes },
  ...(reason && { reason }),
  ...(code !== undefined && { code }),
  ...(signal && { signal }),
  ...(denied.length > 0 && { denied }),
  ...(cleoMissing && { cleoMissing }),
  ...(leftBehind > 0 && { leftBehind }),
})

export const runFolder = (folder: string, run: string): string => `${folder}/runs/${run}`

/** Does not follow links, because an agent could replace its log by a link to a file that the agent may not read. */
export const endOfLog = (
  { host, folder }: Pick<CallingContext, 'host' | 'folder'>,
  run: string,
  spawn: string,
  mostBytes: number,
): ReadInside => tailInside(host.files.realPath(folder), `runs/${run}/${spawn}.log`, mostBytes)

const agentTask = async (context: CallingContext, run: string, spawn: string): Promise<AgentTask> => {
  const row = (await spawns.find(context.store, spawn))!
  const options = spawns.optionsOf(row)
  const { slot, portBase, composeProject } = options?.tree ?? {}
  const hasNumbers = slot !== undefined && portBase !== undefined && composeProject !== undefined
  return {
    ...{ spawn, task: row.task, run, prompt: row.prompt },
    promptFile: `${context.folder}/spawns/${spawn}.md`,
    folder: await workFolder(context, options),
    projectRoot: context.root,
    env: {
      CLEO_AGENT_ID: spawn,
      CLEO_PROJECT: context.root,
      CLEO_RUN: run,
      ...(context.session && { CLEO_SESSION_ID: context.session.id }),
      ...(hasNumbers && worktreeVariables({ slot, portBase, composeProject })),
    },
  }
}
