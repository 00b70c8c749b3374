import type { AgentClient } from '../kernel/client-names.ts'
import type { HookEvent } from './hook-event.ts'

/** CLEO's answer to a client, in one form for all clients. */
export type HookAnswer =
  /** Give this text to the agent that starts. */
  | { kind: 'context'; text: string }
  | { kind: 'deny'; reason: string }
  | { kind: 'rewrite'; input: Record<string, unknown>; reason: string }
  /** Let the tool run, and give this text to the agent or the user. */
  | { kind: 'warn'; text: string }
  /** Do not let the agent stop. */
  | { kind: 'block'; reason: string }

/** Returns undefined if the client has no such answer. */
export const answerFor = (event: HookEvent, answer: HookAnswer): object | undefined => {
  const form = forms[event.client] ?? likeClaude
  return form(answer, event)
}

/**
 * Whether CLEO can change a command of this client. If not, CLEO refuses the command instead. Qwen ignores a changed
 * input, and Cursor cannot change a shell command. Codex runs a changed command without asking the person. So a
 * command of Codex must be `plain`, which means that it does nothing but call `cleo`.
 */
export const canRewrite = (
  { client, name }: Pick<HookEvent, 'client' | 'name'>,
  { plain }: { plain: boolean },
): boolean =>
  client !== 'qwen' && (client !== 'codex' || plain) && name.toLowerCase() !== 'beforeshellexecution'

type Form = (answer: HookAnswer, event: HookEvent) => object | undefined

const specific = ({ name }: HookEvent, fields: object): object => ({
  hookSpecificOutput: { hookEventName: name, ...fields },
})

const likeClaude: Form = (answer, event) => {
  if (answer.kind === 'context') return specific(event, { additionalContext: answer.text })
  if (answer.kind === 'deny')
    return specific(event, { permissionDecision: 'deny', permissionDecisionReason: answer.reason })
  // This answer has no permission decision. So the user's own permission rules apply to the new command.
  if (answer.kind === 'rewrite') return specific(event, { updatedInput: answer.input })
  if (answer.kind === 'warn')
    return { systemMessage: answer.text, ...specific(event, { additionalContext: answer.text }) }
  return { decision: 'block', reason: answer.reason }
}

const forms: Partial<Record<AgentClient, Form>> = {
  codex: (answer, event) => {
    // Without a permission decision, Codex ignores a changed input. Codex also rejects fields that it does not
    // know.
    if (answer.kind === 'rewrite')
      return specific(event, { permissionDecision: 'allow', updatedInput: answer.input })
    return answer.kind === 'warn' ? { systemMessage: answer.text } : likeClaude(answer, event)
  },
  gemini: (answer, event) => {
    if (answer.kind === 'context') return likeClaude(answer, event)
    if (answer.kind === 'rewrite') return specific(event, { tool_input: answer.input })
    if (answer.kind === 'warn') return { systemMessage: answer.text }
    return { decision: 'deny', reason: answer.reason }
  },
  qwen: (answer, event) =>
    answer.kind === 'warn' ? { systemMessage: answer.text } : likeClaude(answer, event),
  copilot: (answer) => {
    if (answer.kind === 'context') return { additionalContext: answer.text }
    if (answer.kind === 'deny') return { permissionDecision: 'deny', permissionDecisionReason: answer.reason }
    if (answer.kind === 'rewrite') return { modifiedArgs: answer.input }
    return answer.kind === 'block' ? { decision: 'block', reason: answer.reason } : undefined
  },
  cursor: (answer) => {
    if (answer.kind === 'context') return { additional_context: answer.text }
    if (answer.kind === 'deny')
      return { permission: 'deny', user_message: answer.reason, agent_message: answer.reason }
    if (answer.kind === 'rewrite') return { updated_input: answer.input }
    return answer.kind === 'block' ? { followup_message: answer.reason } : undefined
  },
  // The form that CLEO's own OpenCode plugin reads.
  opencode: (answer) => {
    if (answer.kind === 'context') return { context: answer.text }
    if (answer.kind === 'deny') return { deny: answer.reason }
    if (answer.kind === 'block') return { block: answer.reason }
    return answer.kind === 'rewrite' ? { args: answer.input } : undefined
  },
}
