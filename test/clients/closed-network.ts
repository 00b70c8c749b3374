import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Scenario } from './model/scenario.ts'
import type { Served } from './model/server.ts'

/** A program to run where only loopback exists, beside the scripted model. */
export interface Job {
  scenario: Scenario
  command: string[]
  cwd: string
  env: Record<string, string>
  /** Given on standard input, which is then closed. */
  input: string
  /** Milliseconds after which everything is ended. */
  limit: number
}

export interface Report {
  exit: number | null
  /** Whether the limit was reached. */
  late: boolean
  stdout: string
  stderr: string
  served: Served[]
  /** Hosts that were looked up; nobody answers. */
  lookups: string[]
  /** Packets to other addresses than loopback; there is no way out for them. */
  refusedPackets: number
  /** Processes that were still running when the program had ended; they are ended with the namespace. */
  left: string[]
  ms: number
}

/** The port of the scripted model: free, because each job has a network of its own. */
export const modelPort = 4010
export const modelUrl = `http://127.0.0.1:${modelPort}`

// As another user than root, a user namespace gives the right to make the others.
const namespaces = [
  ...(process.getuid?.() === 0 ? [] : ['--map-root-user']),
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
]

/** Why programs cannot be shut off from the network here, or undefined. */
export const whyOpen = (): string | undefined => {
  const tried = spawnSync('unshare', [...namespaces, 'ip', 'link', 'set', 'lo', 'up'], { encoding: 'utf8' })
  return tried.status === 0 ? undefined : `no network namespace: ${tried.error?.message ?? tried.stderr}`
}

/** Runs a job in namespaces of its own: no network but loopback, and no process that outlives it. */
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
