import type { PromptResponse, SessionUpdate, Stream } from '@agentclientprotocol/sdk'
import type { Host } from '../host/host.ts'
import { type StartedProgram, startProgram } from '../host/node-started-program.ts'
import { write } from '../host/standard-streams.ts'
import { readFileFor, writeFileFor } from './acp-files.ts'
import { type AcpPolicy, answerPermission } from './acp-policy.ts'
import { updateReader } from './acp-updates.ts'
import type { AgentNote } from './agent.ts'
import { apiProblem } from './api-problem.ts'
import { definedVariables } from './environment.ts'
import { countOf, type Fields, fieldsOf, shortText } from './stream-line.ts'

export interface AcpOrder extends AcpPolicy {
  /** The program that speaks the Agent Client Protocol, and its arguments. */
  command: readonly [string, ...string[]]
  /** Ignored if the agent cannot load sessions. */
  resume?: string
}

const maxPromptBytes = 64 * 1024 * 1024
/** The largest message that an agent can send, in bytes. A tool call in a message can contain a whole file. */
const maxMessageBytes = 256 * 1024 * 1024
const authRequired = -32_000
const settleMs = 50

/**
 * Runs the hidden command `cleo agent-acp`. It starts an agent that speaks the Agent Client Protocol, for one turn.
 * It reads the prompt from standard input, and answers the agent's requests by the rules of `AcpPolicy`. It prints
 * notes, one JSON object per line, so that a watcher can read them like the stream of any client. This command
 * continues after the process of `cleo run` has ended. The watcher decides whether to end this command.
 */
export const acpAgent = async (host: Host, args: readonly string[]): Promise<number> => {
  const order = JSON.parse(args[0] ?? '{}') as AcpOrder
  const note = (each: AgentNote): void => void write(1, `${JSON.stringify({ note: each })}\n`)
  const input = await host.readInput(maxPromptBytes)
  if (!input || !('text' in input)) return failed(note, 'there is no prompt on standard input')
  const agent = await startAcp(host, order)
  if ('reason' in agent) {
    note({ kind: 'turn over', failed: `${order.command[0]}: ${agent.reason}` })
    return 127
  }
  try {
    const answer = await runTurn(host, order, { stream: agent.stream, prompt: input.text, note })
    for (const each of endNotes(answer)) note(each)
    return 0
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: string }
    const problem: AgentNote | undefined =
      code === authRequired
        ? { kind: 'auth', text: shortText(message ?? 'authentication required') }
        : apiProblem(`${message} ${JSON.stringify((error as { data?: unknown }).data ?? '')}`, {
            now: host.now,
          })
    if (problem) note(problem)
    return failed(note, message ?? 'the agent ended')
  } finally {
    agent.end()
  }
}

const failed = (note: (note: AgentNote) => void, why: string): number => {
  note({ kind: 'turn over', failed: shortText(why) })
  return 1
}

interface Turn {
  stream: Stream
  prompt: string
  note(note: AgentNote): void
}

const runTurn = async (
  host: Host,
  order: AcpOrder,
  { stream, prompt, note }: Turn,
): Promise<PromptResponse> => {
  const { client, methods } = await import('@agentclientprotocol/sdk')
  const updates = updateReader(note)
  return client({ name: 'cleo' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      const { outcome, denied } = answerPermission(order, params)
      if (denied !== undefined) note({ kind: 'denied', what: denied })
      return { outcome }
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => readFileFor(host, order, params))
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => writeFileFor(host, order, params))
    .onNotification(methods.client.session.update, ({ params }) =>
      updates.take(params.update as SessionUpdate),
    )
    .connectWith(stream, async (agent): Promise<PromptResponse> => {
      const { agentCapabilities } = await agent.request(methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities: {
          fs: { readTextFile: !readsItself(order), writeTextFile: true },
          terminal: false,
        },
      })
      const session = { cwd: order.folder, mcpServers: [] }
      const { resume } = order
      let sessionId = resume
      const canLoad = agentCapabilities?.loadSession === true
      if (resume !== undefined && canLoad)
        await agent.request(methods.agent.session.load, { ...session, sessionId: resume })
      else ({ sessionId } = await agent.request(methods.agent.session.new, session))
      // Read updates only from here on. While an agent loads a session, it repeats the session's old messages.
      updates.start()
      // Report the session only if the agent can load it again later.
      if (canLoad) note({ kind: 'session', id: sessionId! })
      const answer = await agent.request<PromptResponse>(methods.agent.session.prompt, {
        sessionId: sessionId!,
        prompt: [{ type: 'text', text: prompt }],
      })
      // Wait a moment, because the SDK sometimes returns the answer before it has passed the last updates to
      // `updates.take`.
      await new Promise((resolve) => setTimeout(resolve, settleMs))
      updates.end()
      return answer
    })
}

/**
 * Whether the agent reads files itself instead of asking CLEO for them. Gemini CLI must read files itself. Before it
 * creates a file, it tries to read that file, and it would fail if CLEO answered that the file is missing. Gemini's own
 * permissions limit the folders that it can read.
 */
const readsItself = ({ command: [program] }: AcpOrder): boolean =>
  program.slice(program.lastIndexOf('/') + 1) === 'gemini'

/** Gemini reports token counts in `_meta`, other agents in `usage`. */
const endNotes = (answer: PromptResponse): AgentNote[] => {
  const fields = answer as unknown as Fields
  const usage = fieldsOf(fields, 'usage')
  const counted = fieldsOf(fieldsOf(fieldsOf(fields, '_meta'), 'quota'), 'token_count')
  const input = countOf(usage, 'inputTokens') ?? countOf(counted, 'input_tokens')
  const output = countOf(usage, 'outputTokens') ?? countOf(counted, 'output_tokens')
  const { stopReason } = answer
  return [
    ...(input === undefined && output === undefined
      ? []
      : [{ kind: 'tokens', input: input ?? 0, output: output ?? 0 } as const]),
    { kind: 'turn over', ...(stopReason !== 'end_turn' && { failed: `stopped: ${stopReason}` }) },
  ]
}

/** Starts the agent in this program's process group, because a watcher ends the agent by ending that group. */
const startAcp = async (host: Host, { command, folder }: AcpOrder) => {
  const [program, ...args] = command
  let input: ReadableStreamDefaultController<Uint8Array> | undefined
  const readable = new ReadableStream<Uint8Array>({
    start: (controller) => {
      input = controller
    },
  })
  let isOpen = true
  const close = (): void => {
    if (isOpen) input!.close()
    isOpen = false
  }
  const started = await startProgram(program, args, {
    cwd: folder,
    env: definedVariables(host.env),
    sameGroup: true,
    output: (chunk, from) => {
      if (from === 'errors') void write(2, chunk.toString('utf8'))
      else if (isOpen) input!.enqueue(chunk)
    },
    exited: close,
    closed: close,
  })
  if ('reason' in started) return started
  return { stream: await streamOf(started, readable), end: () => started.closeInput() }
}

const streamOf = async (started: StartedProgram, readable: ReadableStream<Uint8Array>): Promise<Stream> => {
  const { ndJsonStream } = await import('@agentclientprotocol/sdk')
  const writable = new WritableStream<Uint8Array>({ write: (chunk) => started.write(chunk) })
  return ndJsonStream(writable, readable, { maxMessageBytes })
}
