import * as evidence from '../evidence/sql.ts'
import { runDefaults, type VerifyPolicy } from '../kernel/config-words.ts'
import { iso } from '../kernel/time.ts'
import type { Context } from '../operation/context.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { runId } from './run-id.ts'
import { optionsOfRun } from './run-options.ts'
import type { RunUsage } from './run-usage.ts'
import type { RunAgentRow, RunEventRow, RunRow } from './sql.ts'
import * as runs from './sql.ts'

export interface TaskReport {
  id: string
  title: string
  state: 'merged' | 'partial' | 'running' | 'waits for a person' | 'left' | 'cancelled'
  /** The attempts that this run made at the task, oldest first. */
  attempts: { spawnId: string; agent: string; session: 'new' | 'continued'; ended?: string }[]
  /** The class of each failed attempt. */
  failures: string[]
  /** Other things to know about the agents of the task, such as a used-up quota or processes that they left behind. */
  remarks: string[]
  commits: number
  /** The gates that have passed. */
  evidence: string[]
  tokens: number
  cost: number
  reason?: string
}

export interface RunReport {
  id: string
  epic: string
  title: string
  state: RunRow['state']
  why?: string
  agent: string
  parallel: number
  verify: VerifyPolicy
  began: string
  ended?: string
  tasks: TaskReport[]
  merged: number
  waiting: number
  left: number
  retries: number
  tokens: number
  cost: number
  failures: { class: string; times: number }[]
  then: string
}

export const reportOf = async ({ store }: Pick<Context, 'store'>, run: RunRow): Promise<RunReport> => {
  const agents = await runs.agents(store, run.seq)
  const events = await runs.outcomes(store, run.seq)
  const epic = await tasks.find(store, run.epic)
  const rows = await tasks.descendants(store, run.epic)
  const parents = new Set(rows.map(({ parent }) => parent))
  const reports: TaskReport[] = []
  for (const row of rows) {
    if (parents.has(row.id)) continue
    const own = agents.filter(({ task }) => task === row.id)
    const said = events.filter(({ task }) => task === row.id)
    const proof = own.length > 0 ? await evidence.ofGates(store, row.id) : []
    reports.push(taskReport(row, own, said, proof))
  }
  const count = (state: TaskReport['state']) => reports.filter((each) => each.state === state).length
  const merged = count('merged') + count('partial')
  const waiting = count('waits for a person')
  const { agent, parallel, verify = runDefaults.verify } = optionsOfRun(run)
  return {
    ...{
      id: runId(run.seq),
      epic: run.epic,
      title: epic?.title ?? '',
      state: run.state,
      agent,
      parallel,
      verify,
    },
    ...(run.why !== null && { why: run.why }),
    began: iso(Number(run.at)),
    ...(run.ended_at !== null && { ended: iso(Number(run.ended_at)) }),
    ...{ tasks: reports, merged, waiting, left: count('left') + count('running') },
    // Starting an agent again after a quota or a kill does not count as a retry.
    retries: reports.reduce(
      (sum, { attempts, failures }) => sum + Math.max(0, Math.min(failures.length, attempts.length - 1)),
      0,
    ),
    tokens: reports.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: Math.round(reports.reduce((sum, { cost }) => sum + cost, 0) * 10_000) / 10_000,
    failures: classesIn(reports),
    then: nextCommand(run, { merged, waiting, left: count('left') + count('running') }),
  }
}

type Row = Awaited<ReturnType<typeof tasks.descendants>>[number]

const taskReport = (
  row: Row,
  agents: readonly RunAgentRow[],
  events: readonly RunEventRow[],
  proof: readonly evidence.EvidenceRow[],
): TaskReport => {
  const usages = agents.flatMap(({ usage }) => (usage ? [JSON.parse(usage) as RunUsage] : []))
  const data = events.map(({ kind, spawn, data }) => ({
    kind,
    spawn,
    ...(JSON.parse(data ?? '{}') as EventData),
  }))
  const merge = data.findLast(({ kind }) => kind === 'merged')?.merge
  return {
    ...{ id: row.id, title: row.title, state: stateOf(row, agents) },
    attempts: attemptsIn(data),
    failures: data.flatMap(({ kind, class: name }) => (kind === 'receive refused' && name ? [name] : [])),
    remarks: [...new Set(data.flatMap(({ remarks = [] }) => remarks))],
    commits: merge?.commits ?? 0,
    evidence: proof.flatMap(({ gate, state }) => (gate && state === 'passed' ? [gate] : [])),
    tokens: usages.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: usages.reduce((sum, { cost }) => sum + cost, 0),
    ...(row.status === 'blocked' && row.reason !== null && { reason: row.reason }),
  }
}

/** An agent that is started again for the same spawn counts as another attempt. */
const attemptsIn = (
  events: readonly (EventData & { kind: string; spawn: string | null })[],
): TaskReport['attempts'] => {
  const attempts: TaskReport['attempts'] = []
  for (const { kind, spawn, agent, session = 'new', ending } of events) {
    if (kind === 'started') attempts.push({ spawnId: spawn ?? '', agent: agent ?? '', session })
    const last = attempts.findLast((each) => each.spawnId === spawn)
    if (kind === 'ended' && last && ending) last.ended = ending
  }
  return attempts
}

interface EventData {
  agent?: string
  session?: 'new' | 'continued'
  ending?: string
  class?: string
  remarks?: string[]
  merge?: { commits: number }
}

const stateOf = (
  { status, outcome }: Pick<Row, 'status' | 'outcome'>,
  agents: readonly RunAgentRow[],
): TaskReport['state'] => {
  if (status === 'done') return outcome === 'partial' ? 'partial' : 'merged'
  if (status === 'blocked') return 'waits for a person'
  if (status === 'cancelled') return 'cancelled'
  return agents.some(({ state }) => state === 'running') ? 'running' : 'left'
}

const classesIn = (reports: readonly TaskReport[]): RunReport['failures'] => {
  const times = new Map<string, number>()
  for (const { failures } of reports) for (const name of failures) times.set(name, (times.get(name) ?? 0) + 1)
  return [...times]
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([name, n]) => ({ class: name, times: n }))
}

const nextCommand = (
  run: RunRow,
  { merged, waiting, left }: { merged: number; waiting: number; left: number },
): string => {
  if (run.state === 'stopped') return `cleo run resume ${runId(run.seq)}`
  if (run.state === 'running' || run.state === 'draining') return `cleo run status ${runId(run.seq)}`
  if (waiting > 0) return 'cleo inbox'
  return merged > 0 || left === 0 ? `cleo land ${run.epic}` : `cleo analyze ${run.epic}`
}
