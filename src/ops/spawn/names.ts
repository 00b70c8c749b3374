import type { Facts } from '../../prompt/spawn/facts.ts'
import { defaults, valuesOf } from '../../prompt/spawn/values.ts'
import { allowedNames } from '../../prompt/tokens/environment.ts'
import type { Value } from '../../prompt/tokens/fill.ts'
import type { Project } from '../context.ts'

export type Lookup = (name: string) => Value | undefined

/** Environment, then what the caller set, then what the task and the project say. */
export const lookupFor = (
  { host, config }: Project,
  facts: Omit<Facts, 'spawnId'>,
  set: readonly string[],
): Lookup => {
  const allowed = allowedNames(config)
  const chosen = new Map(set.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const own = valuesOf(facts, new Date(host.now()).toISOString().slice(0, 10))
  return (name) => {
    const text = (allowed.has(name) ? host.env[name] : undefined) ?? chosen.get(name)
    if (text !== undefined) return { text }
    if (Object.hasOwn(own, name)) return own[name]
    return Object.hasOwn(defaults, name) ? { text: defaults[name]! } : undefined
  }
}

/** The same, for the text of one skill. */
export const withFolder =
  (lookup: Lookup, folder: string): Lookup =>
  (name) =>
    name === 'SKILL_ROOT' || name === 'CLAUDE_PLUGIN_ROOT' ? { text: folder } : lookup(name)
