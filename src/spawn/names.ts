import type { Project } from '../operation/context.ts'
import type { Facts } from '../prompt/facts.ts'
import { allowedNames } from '../prompt/tokens/environment.ts'
import type { Value } from '../prompt/tokens/fill.ts'
import { defaults, valuesOf } from '../prompt/values.ts'

export type Lookup = (name: string) => Value | undefined

export interface Lookups {
  /** For templates: every name that has a value. */
  any: Lookup
  /** For any other text: the names CLEO itself knows, and no others. */
  known: Lookup
}

/** Environment, then what the caller set, then what the task and the project say. */
export const lookupsFor = (
  { host, config }: Project,
  facts: Omit<Facts, 'spawnId'>,
  set: readonly string[],
): Lookups => {
  const allowed = allowedNames(config)
  const chosen = new Map(set.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const own = { ...mapped(defaults), ...valuesOf(facts, new Date(host.now()).toISOString().slice(0, 10)) }
  const any: Lookup = (name) => {
    const text = (allowed.has(name) ? host.env[name] : undefined) ?? chosen.get(name)
    if (text !== undefined) return { text }
    return Object.hasOwn(own, name) ? own[name] : undefined
  }
  return { any, known: (name) => (Object.hasOwn(own, name) ? any(name) : undefined) }
}

const mapped = (texts: Readonly<Record<string, string>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { text }]))

/** The same, for the text of one skill. */
export const withFolder =
  (lookup: Lookup, folder: string): Lookup =>
  (name) =>
    name === 'SKILL_ROOT' || name === 'CLAUDE_PLUGIN_ROOT' ? { text: folder } : lookup(name)
