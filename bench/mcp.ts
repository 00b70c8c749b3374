import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { openProject } from '../src/index.ts'
import { taskId } from '../src/kernel/task-id.ts'
import type { Row } from './table.ts'
import type { Place } from './trials.ts'

const starts = 10
const calls = 500

/**
 * Measures three costs of the MCP server:
 * - The time until it has answered the first message.
 * - The time of a call of `show`, minus the time of the same call through the library.
 * - The memory of a waiting server.
 */
export const mcpCosts = async (program: string, place: Place): Promise<Row[]> => {
  const started: number[] = []
  for (let i = 0; i < starts; i++) {
    const began = performance.now()
    const server = await startServer(program, place)
    started.push(performance.now() - began)
    await server.end()
  }
  const id = taskId(Math.ceil(place.tasks / 2))
  const operation = await timeOperation(place, id)
  const server = await startServer(program, place)
  const call = await timed(() => server.ask('tools/call', { name: 'show', arguments: { id } }))
  const memory = residentMegabytes(server.child.pid!)
  await server.end()
  return [
    { name: 'MCP server, milliseconds to its first answer', values: [quartile(started)] },
    { name: 'MCP show, milliseconds over the operation', values: [call - operation] },
    { name: 'MCP server that waits, megabytes', values: [memory] },
  ]
}

const timeOperation = async ({ folder }: Place, id: string): Promise<number> => {
  const project = openProject({ project: folder, as: 'planner' })
  const took = await timed(() => project.call('tasks.show', { id }))
  await project.close()
  return took
}

/** Measures many calls and returns the lower quartile of their times. The first 20 calls do not count. */
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const took: number[] = []
  for (let i = 0; i < calls; i++) {
    const began = performance.now()
    await work()
    if (i >= 20) took.push(performance.now() - began)
  }
  return quartile(took)
}

const quartile = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 4)]!

const residentMegabytes = (pid: number): number => {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1000
}

interface McpServer {
  child: ChildProcessWithoutNullStreams
  ask(method: string, params: object): Promise<void>
  end(): Promise<void>
}

const startServer = async (program: string, { folder, env }: Place): Promise<McpServer> => {
  const child = spawn(program, ['mcp'], { cwd: folder, env })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let answered: (() => void) | undefined
  child.stdout.on('data', (chunk: Buffer) => {
    if (chunk.at(-1) === 0x0a) answered?.()
  })
  let last = 0
  const ask = (method: string, params: object) =>
    new Promise<void>((resolve) => {
      answered = resolve
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++last, method, params })}\n`)
    })
  const clientInfo = { name: 'bench', version: '1' }
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
  return {
    child,
    ask,
    end: () => {
      child.stdin.end()
      return ended
    },
  }
}
