import { isObject } from '../kernel/json-object.ts'
import type { JsonValue } from './part.ts'

/**
 * The field that each type of hook must have. It is checked because one invalid hook makes Claude Code ignore the
 * whole settings file.
 */
const fieldOfType: Record<string, string> = {
  command: 'command',
  prompt: 'prompt',
  agent: 'prompt',
  http: 'url',
  mcp_tool: 'tool',
}

export const whyHooksInvalid = (settings: JsonValue): string | undefined => {
  const hooks = fieldOf(settings, 'hooks')
  if (hooks === undefined) return undefined
  if (!isObject(hooks)) return 'has a field "hooks" that is not an object'
  for (const [event, groups] of Object.entries(hooks)) {
    // In Gemini CLI, `hooks` contains not only events, but also settings that switch hooks on or off.
    if (typeof groups === 'boolean' || event === 'disabled') continue
    if (!Array.isArray(groups))
      return `has a field hooks.${event} that is not a list, so the client would ignore all hooks of the file`
    for (const [i, group] of groups.entries()) {
      const why = whyGroupInvalid(group)
      if (why)
        return `has an invalid hook in hooks.${event}[${i}]: ${why}; the client would ignore all hooks of the file`
    }
  }
  return undefined
}

const whyGroupInvalid = (group: JsonValue): string | undefined => {
  if (!isObject(group)) return 'it is not an object'
  const matcher = fieldOf(group, 'matcher')
  if (matcher !== undefined && typeof matcher !== 'string') return 'its matcher is not text'
  const hooks = fieldOf(group, 'hooks')
  if (!Array.isArray(hooks)) return 'it has no list of hooks'
  for (const hook of hooks) {
    const type = fieldOf(hook, 'type')
    const field = typeof type === 'string' ? fieldOfType[type] : undefined
    if (type === undefined || (type === 'command' && typeof fieldOf(hook, 'command') !== 'string'))
      return type === undefined ? 'a hook has no type' : 'a hook has no command'
    if (field && typeof fieldOf(hook, field) !== 'string') return `a hook has no ${field}`
    const timeout = fieldOf(hook, 'timeout')
    if (timeout !== undefined && typeof timeout !== 'number') return 'a timeout is not a number'
  }
  return undefined
}

const fieldOf = (value: JsonValue, key: string): JsonValue | undefined =>
  isObject(value) ? value[key] : undefined
