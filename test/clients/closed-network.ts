import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from './model/scenario.ts'
import type { Served } from './model/server.ts'

/** A program to run beside the scripted model, with no network but loopback. */
export interface Job {
  scenario: Scenario
  command: string[]
  cwd: string
  env: Record<string, string>
  /** Text for standard input. Standard input is closed after the text. */
  input: string
  /** Milliseconds after which all processes of the job are ended. */
  limit: number
}

export interface Report {
  exit: number | null
  /** Whether the job was ended because it reached its limit. */
  late: boolean
  stdout: string
  stderr: string
  served: Served[]
  /** Host names that were looked up. All lookups fail. */
  lookups: string[]
  /** How many packets went to addresses other than loopback. They have no route. */
  refusedPackets: number
  /** Processes that were still running when the program had ended. The end of the namespace ends them too. */
  left: string[]
  ms: number
}

/** The port of the scripted model. It is always free, because each job has a network of its own. */
export const modelPort = 4010
export const modelUrl = `http://127.0.0.1:${modelPort}`

// A user who is not root needs a user namespace to be allowed to make the other namespaces.
const namespaces = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]

/** Returns why programs cannot be cut off from the network here; undefined if they can. */
export const whyOpen = (): string | undefined => {
  const tried = spawnSync('unshare', [...namespaces, 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' })
  return tried.status === 0 ? undefined : `no network namespace: ${tried.error?.message ?? tried.stderr}`
}

/** Runs a job in its own namespaces. It has no network but loopback, and none of its processes outlives it. */
export const runClosed = async (job: Job): Promise<Report> => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-job-'))
  try {
    writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
    const inside = [process.execPath, join(import.meta.dirname, 'inside.ts'), folder]
    const child = spawn('unshare', [...namespaces, ...inside], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))
    try {
      return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
    } catch {
      throw new Error(`The closed network gave no report: ${stderr}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
