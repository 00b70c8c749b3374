import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { AgentNote } from './agent.ts'
import { actionText, countOf, type Fields, fieldsOf, lacksCleo, shortText, textOf } from './stream-line.ts'

const mostMessage = 64 * 1024

/**
 * Turns the updates that an agent sends during a session into notes for the watcher. An agent sends one message as
 * several updates of the kind `agent_message_chunk`. The reader joins their texts into one note, which it writes when
 * an update of another kind arrives, or when the turn ends.
 */
export const updateReader = (note: (note: AgentNote) => void) => {
  let isStarted = false
  let message = ''
  const said = (): void => {
    if (message !== '') note({ kind: 'message', text: message })
    message = ''
  }
  return {
    /** Called when the turn begins. Updates before this call belong to an earlier turn and are ignored. */
    start: (): void => {
      isStarted = true
    },
    take: (update: SessionUpdate): void => {
      if (!isStarted) return
      const fields = update as unknown as Fields
      const kind = textOf(fields, 'sessionUpdate')
      if (kind === 'agent_message_chunk') {
        if (message.length < mostMessage) message += textOf(fieldsOf(fields, 'content'), 'text') ?? ''
        return
      }
      said()
      if (kind === 'tool_call') note({ kind: 'action', text: titleOf(fields) })
      else if (kind === 'tool_call_update') {
        const output = textOf(fieldsOf(fields, 'rawOutput'), 'output')
        if (output !== undefined && lacksCleo(output)) note({ kind: 'no cleo' })
        if (textOf(fields, 'status') === 'in_progress') note({ kind: 'action', text: titleOf(fields) })
      } else if (kind === 'usage_update') {
        const cost = countOf(fieldsOf(fields, 'cost'), 'amount')
        const used = countOf(fields, 'used')
        if (used !== undefined)
          note({ kind: 'tokens', input: used, output: 0, ...(cost !== undefined && { cost }) })
      }
    },
    end: said,
  }
}

export const titleOf = (call: Fields): string => {
  const input = fieldsOf(call, 'rawInput')
  const title = textOf(call, 'title') ?? textOf(call, 'kind') ?? 'tool'
  return Object.keys(input).length > 0 ? actionText(title, input) : shortText(title)
}
