import type { HookClient, HookEvent } from './hook-event.ts'

/** What CLEO answers to a client, in one form for all clients. */
export type HookAnswer =
  /** Text for the agent that starts. */
  | { kind: 'context'; text: string }
  /** Refuse the tool call. */
  | { kind: 'deny'; reason: string }
  /** Run the tool with another input. */
  | { kind: 'rewrite'; input: Record<string, unknown>; reason: string }
  /** Let the tool run, and tell the agent or the user. */
  | { kind: 'warn'; text: string }
  /** Do not let the agent stop. */
  | { kind: 'block'; reason: string }

/** Returns the answer in the form that the client reads; undefined if the client has no such answer. */
export const answerFor = (event: HookEvent, answer: HookAnswer): object | undefined => {
  const form = forms[event.client] ?? likeClaude
  return form(answer, event)
}

/**
 * Qwen ignores a changed input, and Cursor can change none before a shell command: there the line is refused. For Codex a
 * changed input carries the decision to allow it, so only a line that does nothing but call `cleo` is changed there.
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
  // Without a decision the user's own permission rules still apply to the new command.
  if (answer.kind === 'rewrite') return specific(event, { updatedInput: answer.input })
  if (answer.kind === 'warn')
    return { systemMessage: answer.text, ...specific(event, { additionalContext: answer.text }) }
  return { decision: 'block', reason: answer.reason }
}

const forms: Partial<Record<HookClient, Form>> = {
  codex: (answer, event) => {
    // Codex ignores a changed input without this decision, and refuses fields that it does not know.
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
  // The form that CLEO's own plugin for OpenCode reads.
  opencode: (answer) => {
    if (answer.kind === 'context') return { context: answer.text }
    if (answer.kind === 'deny') return { deny: answer.reason }
    return answer.kind === 'rewrite' ? { args: answer.input } : undefined
  },
}
