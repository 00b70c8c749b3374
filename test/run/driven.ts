import * as v from 'valibot'
import type { AgentTask } from '../../src/agent-processes/agent.ts'
import type { Host } from '../../src/host/host.ts'
import { nodeHost } from '../../src/host/node-host.ts'
import { ok } from '../../src/kernel/result.ts'
import type { CallingContext } from '../../src/operation/context.ts'
import { operation } from '../../src/operation/operation.ts'
import { connect } from '../../src/perform/connection.ts'
import { perform } from '../../src/perform/perform.ts'
import { driveToEnd, recordRun, takeRunOver } from '../../src/run/begin-run.ts'
import type { RunNews } from '../../src/run/ledger.ts'
import type { RunReport } from '../../src/run/report.ts'
import type { RunOptions } from '../../src/run/run-options.ts'
import * as runs from '../../src/run/sql.ts'
import type { TestProject } from '../support/project.ts'
import { commit } from '../support/subagent.ts'
import { memoryAgents, type Play } from './memory-agents.ts'

/** Calls `work` with the context of an operation that calls other operations. */
export const withContext = async <T>(
  project: TestProject,
  work: (context: CallingContext) => Promise<T>,
  live?: CallingContext['live'],
  now?: () => number,
): Promise<T> => {
  const { PATH = '' } = process.env
  const { processes, ...rest } = nodeHost()
  const programs = trackedPrograms(processes)
  const host = {
    ...{ ...rest, processes: programs.processes, cwd: project.root, home: `${project.root}/.home` },
    ...{ user: 'ada', env: { ...project.env, PATH }, ...(now && { now }) },
  }
  const connection = connect({ host, named: project.root, wait: 'retry' })
  let value: T | undefined
  const probe = operation({
    ...{ name: 'test.probe', kind: 'mutate', tier: 2, summary: '', needs: 'operations', errors: [] },
    ...{ input: v.strictObject({}), output: () => v.null(), cli: { command: 'probe', examples: ['probe'] } },
    run: async (_, context) => {
      value = await work(context)
      return ok(null)
    },
  })
  try {
    const caller = { actor: { id: 'ada', agent: false }, dryRun: false, ...(live && { live }) }
    const result = await perform(probe, {}, connection, caller)
    if (!result.ok) throw new Error(`${result.code}: ${result.message}`)
    return value as T
  } finally {
    await connection.close()
    await programs.ended()
  }
}

/** Tracks running programs. A driver that ends early leaves some of them running, and they write into the project. */
const trackedPrograms = (processes: Host['processes']) => {
  const running = new Set<Promise<unknown>>()
  const run: Host['processes']['run'] = (...args) => {
    const ran = processes.run(...args)
    running.add(ran)
    const forget = () => void running.delete(ran)
    ran.then(forget, forget)
    return ran
  }
  const ended = async (): Promise<void> => {
    // When one program ends, the next can start at once, so look again until none is running.
    for (; running.size > 0; await new Promise(setImmediate)) await Promise.allSettled([...running])
  }
  return { processes: { ...processes, run }, ended }
}

export const usual: RunOptions = { agent: 'scripted', parallel: 2, onLoss: 'end' }

interface DriveOptions {
  options?: Partial<RunOptions>
  during?: (news: RunNews) => void
  /** Whether the agents can continue a session of their client. */
  resumes?: boolean
  now?: () => number
}

/** Drives T001 with agents that are functions. Returns the report and everything that the run told its listener. */
export const drive = async (
  project: TestProject,
  play: Play,
  { options = {}, during, resumes = false, now }: DriveOptions = {},
) => {
  const news: RunNews[] = []
  const agents = memoryAgents(play, { resumes })
  const tell = (each: object) => {
    news.push(each as RunNews)
    during?.(each as RunNews)
  }
  const report = await withContext(
    project,
    async (context): Promise<RunReport> => {
      const all = { ...usual, ...options }
      const recorded = await recordRun(context, 'T001', all)
      if (!recorded.ok) throw new Error(recorded.message)
      const driven = await driveToEnd(context, recorded.value, all, agents)
      if (!driven.ok) throw new Error(driven.message)
      return driven.value
    },
    { tell, onInterrupt: () => undefined },
    now,
  ).finally(agents.settle)
  return { report, news, agents }
}

/** Resumes the newest run, with other agents. */
export const resumeRun = async (project: TestProject, play: Play, { resumes = false } = {}) => {
  const agents = memoryAgents(play, { resumes })
  const report = await withContext(project, async (context): Promise<RunReport> => {
    const run = (await runs.newest(context.store))!
    const options = JSON.parse(run.options) as RunOptions
    const taken = await takeRunOver(context, run, options)
    if (!taken.ok) throw new Error(taken.message)
    const driven = await driveToEnd(context, taken.value, options, agents)
    if (!driven.ok) throw new Error(driven.message)
    return driven.value
  }).finally(agents.settle)
  return { report, agents }
}

/**
 * Returns a function with which agents wait for each other. Its promise resolves once `count` agents have called
 * it. Later callers do not wait.
 */
export const barrier = (count: number) => {
  let waiting = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  return () => {
    waiting += 1
    if (waiting >= count) resolve()
    return promise
  }
}

/** An honest agent: focus, code, commit, finish. */
export const builds =
  (
    project: TestProject,
    files: (task: AgentTask) => Record<string, string> = ({ task }) => ({
      [`src/${task}.ts`]: `export const ${task} = 1\n`,
    }),
  ) =>
  async (task: AgentTask): Promise<undefined> => {
    const as = project.as(task.spawn).from(task.folder)
    const { output } = await as.must('focus.set', { id: task.task })
    const fs = await import('node:fs')
    const text = fs.readFileSync(output!, 'utf8').replace('## Summary\n', '## Summary\n\nIt is done.\n')
    fs.writeFileSync(output!, text)
    commit(task.folder, `Build ${task.task}\n\nTask: ${task.task}`, {
      ...files(task),
      [`test/${task.task}.test.ts`]: 'check\n',
    })
    await as.must('tasks.finish', { id: task.task, finding: ['It is built.'] })
    return undefined
  }
