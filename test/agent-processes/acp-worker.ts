import { Readable, Writable } from 'node:stream'
import {
  agent,
  methods,
  ndJsonStream,
  RequestError,
  type RequestPermissionResponse,
} from '@agentclientprotocol/sdk'

/** A small agent that speaks the Agent Client Protocol. It does what the prompt says, one step per line. */
agent({ name: 'test' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true },
    authMethods: [],
  }))
  .onRequest(methods.agent.session.load, () => ({}))
  .onRequest(methods.agent.session.new, () => {
    if (process.env['LOGGED_OUT']) throw RequestError.authRequired({}, 'Log in first')
    return { sessionId: 'session-1' }
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const say = (text: string) =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      })
    for (const line of (prompt[0] as { text: string }).text.split('\n')) {
      const [word, path, ...rest] = line.split(' ') as [string, string]
      try {
        if (word === 'write') {
          const toolCall = { toolCallId: path, kind: 'edit' as const, title: path, locations: [{ path }] }
          const { outcome } = await client.request<RequestPermissionResponse>(
            methods.client.session.requestPermission,
            {
              sessionId,
              toolCall,
              options: [
                { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
                { optionId: 'no', name: 'No', kind: 'reject_once' },
              ],
            },
          )
          if (outcome.outcome === 'selected' && outcome.optionId === 'yes')
            await client.request(methods.client.fs.writeTextFile, {
              sessionId,
              path,
              content: rest.join(' '),
            })
          else await say(`no: ${path}. `)
        } else if (word === 'force')
          await client.request(methods.client.fs.writeTextFile, { sessionId, path, content: rest.join(' ') })
        else if (word === 'read')
          await say((await client.request(methods.client.fs.readTextFile, { sessionId, path })).content)
        else if (word === 'quota') throw RequestError.internalError({}, '429 rate_limit_error')
        else if (word === 'hang') await new Promise(() => undefined)
        else await say(`${line} `)
      } catch (error) {
        if (word === 'quota') throw error
        await say(`refused: ${path}. `)
      }
    }
    return { stopReason: 'end_turn' as const, usage: { inputTokens: 7, outputTokens: 3, totalTokens: 10 } }
  })
  .connect(
    ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>),
  )
