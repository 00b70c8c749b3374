import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { executable, type Runtime, run, runtimeEnvironment } from './cleo.ts'
import { withTemp } from './temp.ts'

export interface Answer {
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: unknown }
}

/** The answer of a tool: the data of an operation, or its refusal. */
export interface ToolAnswer {
  data?: Record<string, unknown>
  page?: unknown
  warnings?: string[]
  error?: {
    code: string
    exit: number
    message: string
    fix?: string
    alternatives?: string[]
    problems?: { path: string; message: string }[]
  }
  text: string
  isError: boolean
}

export interface McpClient {
  child: ChildProcessWithoutNullStreams
  /** Everything that the server sent, in order. */
  received: Record<string, unknown>[]
  errors(): string
  write(line: string): void
  notify(method: string, params?: object): void
  request(method: string, params?: object): Promise<Answer>
  initialize(name?: string, version?: string): Promise<Answer>
  tool(name: string, args?: object, meta?: object): Promise<ToolAnswer>
  /** Closes the input of the server and waits until the server exits. */
  close(): Promise<number | null>
}

interface ClientOptions {
  cwd: string
  runtime?: Runtime
  env?: Record<string, string>
  args?: readonly string[]
}

/** Starts `cleo mcp` and talks to it as a client does: one JSON message per line. */
export const startClient = ({ cwd, runtime = executable, env = {}, args = [] }: ClientOptions): McpClient => {
  const [program, ...first] = runtime.command
  const child = spawn(program, [...first, 'mcp', ...args], {
    cwd,
    env: runtimeEnvironment(runtime, { cwd, env }),
  })
  const received: Record<string, unknown>[] = []
  const waiting = new Map<unknown, (answer: Answer) => void>()
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  let rest = ''
  let errors = ''
  child.stdin.on('error', () => undefined)
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const message = JSON.parse(line) as Record<string, unknown>
      received.push(message)
      const answer = waiting.get(message['id'])
      if (!answer || 'method' in message) continue
      waiting.delete(message['id'])
      answer(message)
    }
  })
  let last = 0
  const client: McpClient = {
    child,
    received,
    errors: () => errors,
    write: (line) => void child.stdin.write(`${line}\n`),
    notify: (method, params) => client.write(JSON.stringify({ jsonrpc: '2.0', method, params })),
    request: (method, params) => {
      const id = ++last
      const answer = new Promise<Answer>((resolve) => waiting.set(id, resolve))
      client.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      return answer
    },
    initialize: async (name = 'test', version = '2025-11-25') => {
      const answer = await client.request('initialize', {
        protocolVersion: version,
        capabilities: {},
        clientInfo: { name, version: '1' },
      })
      client.notify('notifications/initialized')
      return answer
    },
    tool: async (name, args = {}, meta) => {
      const { result, error } = await client.request('tools/call', {
        name,
        arguments: args,
        ...(meta && { _meta: meta }),
      })
      if (!result) throw new Error(`${name}: ${error?.message}`)
      const [{ text }] = result['content'] as [{ text: string }]
      return { ...(result['structuredContent'] as object), text, isError: result['isError'] === true }
    },
    close: () => {
      child.stdin.end()
      return exited
    },
  }
  return client
}

/** Makes a project with the built program, and an initialized client of its server. */
export const withServer = <T>(
  work: (client: McpClient, root: string) => Promise<T>,
  { name, ...options }: Omit<ClientOptions, 'cwd'> & { name?: string } = {},
): Promise<T> =>
  withTemp(async (root) => {
    cleo(root, ['init'], options.env)
    const client = startClient({ cwd: root, ...options })
    try {
      await client.initialize(name)
      return await work(client, root)
    } finally {
      await client.close()
    }
  })

/** Runs a command that must succeed, as the person whose project it is. */
export const cleo = (cwd: string, args: readonly string[], env: Record<string, string> = {}): string => {
  const { exit, stdout, stderr } = run(executable, args, { cwd, env })
  if (exit !== 0) throw new Error(`cleo ${args.join(' ')}: ${stdout}${stderr}`)
  return stdout
}
