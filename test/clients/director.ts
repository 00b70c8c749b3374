import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

/** One command of CLEO, and what is killed while it runs. */
export interface Scene {
  command: [string, ...string[]]
  kills?: Kill[]
  /** A file to create once the command and everything it started have ended. */
  leaves?: string
}

export interface Kill {
  /** The agent, such as T004.1, whose tool must be running before the kill. */
  spawn: string
  /** Words from the command line of a process that this agent's tool starts. */
  line: string
  /** The process to kill with SIGKILL: the agent's own, or the command of the scene. */
  victim: 'agent' | 'command'
}

export interface Played {
  exit: number | null
  signal: string | null
  stdout: string
  stderr: string
  /** The command lines of the killed processes. */
  killed: string[]
  /** Processes of agents that were still running `patience` milliseconds after the command had ended. */
  left: string[]
}

const patience = 30_000
const pauseMs = 25
const marker = 'CLEO_RUN_MARKER'

interface Seen {
  pid: number
  parent: number
  line: string
  env: string
}

const seen = (): Seen[] =>
  readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name)) return []
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1')
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
      const line = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const env = `\0${readFileSync(`/proc/${name}/environ`, 'utf8')}`
      return [{ pid: Number(name), parent, line, env }]
    } catch {
      return []
    }
  })

/** Returns the first process of an agent. Its parent, the watcher, lacks the variables of the agent. */
const agentOf = (all: readonly Seen[], isIts: (each: Seen) => boolean): Seen | undefined => {
  const own = all.filter(isIts)
  return own.find(({ parent }) => !own.some(({ pid }) => pid === parent))
}

/** Kills the victim if the tool is running now. Returns the command line of the victim. */
const tryKill = ({ spawn: id, line, victim }: Kill, command: number): string | undefined => {
  const all = seen()
  const isIts = ({ env }: Seen) => env.includes(`\0CLEO_AGENT_ID=${id}\0`) && env.includes(`\0${marker}=`)
  if (!all.some((each) => isIts(each) && each.line.includes(line))) return undefined
  const found = victim === 'agent' ? agentOf(all, isIts) : all.find(({ pid }) => pid === command)
  if (!found) return undefined
  process.kill(found.pid, 'SIGKILL')
  return found.line
}

const pause = () => new Promise((resolve) => setTimeout(resolve, pauseMs))

const play = async ({ command: [program, ...args], kills = [], leaves }: Scene): Promise<Played> => {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const played: Played = { exit: null, signal: null, stdout: '', stderr: '', killed: [], left: [] }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    played.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    played.stderr += text
  })
  let isOver = false
  const over = new Promise<void>((resolve) =>
    child.on('exit', (exit, signal) => {
      Object.assign(played, { exit, signal })
      isOver = true
      resolve()
    }),
  )
  for (const kill of kills) {
    let victim: string | undefined
    while (!isOver && victim === undefined) {
      victim = tryKill(kill, child.pid!)
      await pause()
    }
    if (victim !== undefined) played.killed.push(victim)
  }
  await over
  const agents = () => seen().filter(({ env }) => env.includes(`\0${marker}=`))
  for (const until = Date.now() + patience; agents().length > 0 && Date.now() < until; ) await pause()
  played.left = agents().map(({ line }) => line.slice(0, 200))
  if (leaves) writeFileSync(leaves, '')
  return played
}

const played: Played[] = []
for (const scene of JSON.parse(process.argv[2]!) as Scene[]) played.push(await play(scene))
process.stdout.write(JSON.stringify(played))
