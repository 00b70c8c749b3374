import type {
  AgentEnd,
  AgentKind,
  AgentProcesses,
  AgentTask,
  Ending,
  RunningAgent,
  StartAgent,
} from '../../src/agent-processes/agent.ts'

/** What a simulated agent program can do besides its work. */
export interface Playing {
  note: StartAgent['onNote']
  /** Resolves when somebody ends the agent. */
  stopped: Promise<string>
}

export type Play = (task: AgentTask, playing: Playing) => Promise<Partial<AgentEnd> | undefined>

/**
 * Agents that are functions in this process. They call the real operations, but need no program and no time to start.
 */
export const memoryAgents = (play: Play, { resumes = false }: { resumes?: boolean } = {}) => {
  const tasks = new Map<string, AgentTask>()
  const running = new Map<string, number>()
  const kind: AgentKind = {
    ...{ name: 'scripted', title: 'Functions', resumes, reportsCost: true },
    find: () => ({ program: 'none' }),
    launch: async (_, task) => {
      tasks.set(task.spawn, task)
      return { program: task.spawn, args: [], env: task.env, cwd: task.folder, input: task.prompt }
    },
  }
  let mostAtOnce = 0
  let markers = 0
  const started: string[] = []
  const plays: Promise<unknown>[] = []
  const stops: (() => void)[] = []
  const processes: AgentProcesses = {
    start: async ({ launch, files, onNote }) => {
      const spawn = launch.program
      const { promise: gone, resolve: go } = Promise.withResolvers<void>()
      const { promise: stopped, resolve: stop } = Promise.withResolvers<string>()
      const played = gone.then(async (): Promise<AgentEnd> => {
        started.push(spawn)
        running.set(spawn, (running.get(spawn) ?? 0) + 1)
        if (running.get(spawn)! > 1) throw new Error(`two agents work as ${spawn}`)
        mostAtOnce = Math.max(mostAtOnce, running.size)
        const playing = play(tasks.get(spawn)!, { note: onNote, stopped })
        plays.push(playing)
        stops.push(() => stop('the test is over'))
        try {
          return endOf(await playing)
        } catch (error) {
          return endOf({ ending: 'crashed', reason: String(error) })
        } finally {
          running.delete(spawn)
        }
      })
      const ended = Promise.race([played, stopped.then((reason) => endOf({ ending: 'ended by us', reason }))])
      const agent: RunningAgent = {
        ...{ watcher: { pid: 1, startTime: '1' }, marker: `m${++markers}`, files, ended, go },
        end: (why) => {
          stop(why)
          return ended
        },
      }
      return agent
    },
    adopt: async ({ watcher, marker, files }) => ({
      ...{ watcher, marker, files, go: () => undefined },
      ended: Promise.resolve(endOf({ ending: 'watcher lost' })),
      end: async () => endOf({ ending: 'watcher lost' }),
    }),
    endLeftover: async () => 0,
  }
  /**
   * Stops the functions that still run and waits for them. Otherwise they would write while their folder is removed.
   */
  const settle = async (): Promise<void> => {
    for (const stop of stops) stop()
    await Promise.allSettled(plays)
  }
  return { kind, processes, started, settle, mostAtOnce: () => mostAtOnce }
}

const endOf = (end: Partial<AgentEnd> = {}): AgentEnd => ({
  ...{ ending: 'ended' as Ending, denied: [], bytes: 0, leftBehind: 0, endedAt: 0 },
  ...end,
})
