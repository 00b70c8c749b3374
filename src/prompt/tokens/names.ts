import type { Config } from '../../kernel/config.ts'
import { isSecretVariable } from '../../kernel/secret-variables.ts'
import { slugOf } from '../../kernel/slug.ts'
import type { PromptFacts } from '../prompt-facts.ts'
import type { TokenValue } from './fill.ts'

/** Names of tokens for folders and files. Environment variables may override their values. */
const pathNames = ['CLEO_ROOT', 'RESEARCH_DIR', 'MANIFEST_FILE', 'SPECS_DIR']

/**
 * Names of tokens for the agent's task, folders and commands. The environment and the caller cannot override their
 * values.
 */
export const fixedNames: readonly string[] = [
  ...['TASK_ID', 'EPIC_ID', 'OUTPUT_DIR', 'MANIFEST_PATH', 'SESSION_ID', 'PROJECT_ROOT', 'SKILL_ROOT'],
  ...['CLAUDE_PLUGIN_ROOT', 'PROTOCOL', 'TIER', 'TASK_TITLE', 'TASK_DESCRIPTION', 'TOPICS_JSON'],
  ...['DEPENDS_LIST', 'ACCEPTANCE_CRITERIA', 'TASK_SHOW_CMD', 'TASK_FOCUS_CMD', 'TASK_COMPLETE_CMD'],
  ...['TASK_LINK_CMD'],
]

/** Names of tokens whose values the caller may override, but the environment may not. */
const callerNames = ['DATE', 'TOPIC', 'TOPIC_SLUG', 'RESEARCH_ID']

const never = [...fixedNames, ...callerNames]

export const allowedNames = ({ tokens }: Pick<Config, 'tokens'>): Set<string> => {
  const allowed = new Set([...pathNames, ...(tokens?.env ?? []).filter((name) => !isSecretVariable(name))])
  for (const name of never) allowed.delete(name)
  return allowed
}

export const secretNameWarnings = ({ tokens }: Pick<Config, 'tokens'>): string[] =>
  (tokens?.env ?? [])
    .filter(isSecretVariable)
    .map((name) => `tokens.env lists ${name}, which holds a secret by its name and is never read`)

export type Lookup = (name: string) => TokenValue | undefined

export interface Lookups {
  /** Finds the value of every name that has a value. Templates use this. */
  any: Lookup
  /** Finds only the values of names that CLEO defines. All other texts use this. */
  known: Lookup
}

interface Overrides {
  config: Pick<Config, 'tokens'>
  env: Readonly<Record<string, string | undefined>>
  /** The `NAME=value` pairs that the caller set. */
  set: readonly string[]
  date: string
}

/**
 * Returns functions that look up a name: first in the environment, then in the pairs that the caller set, then in the
 * task and the project.
 */
export const lookupsFor = (facts: PromptFacts, { config, env, set, date }: Overrides): Lookups => {
  const allowed = allowedNames(config)
  const chosen = new Map(set.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]))
  const own = { ...mapped(defaults, (text) => ({ text })), ...valuesOf(facts, date) }
  const any: Lookup = (name) => {
    const text = (allowed.has(name) ? env[name] : undefined) ?? chosen.get(name)
    if (text !== undefined) return { text }
    const topic = name === 'TOPIC_SLUG' ? chosen.get('TOPIC') : undefined
    if (topic !== undefined) return { text: slugOf(topic) }
    return Object.hasOwn(own, name) ? own[name] : undefined
  }
  return { any, known: (name) => (Object.hasOwn(own, name) ? any(name) : undefined) }
}

export const withFolder =
  (lookup: Lookup, folder: string): Lookup =>
  (name) =>
    name === 'SKILL_ROOT' || name === 'CLAUDE_PLUGIN_ROOT' ? { text: folder } : lookup(name)

const valuesOf = (facts: PromptFacts, date: string): Record<string, TokenValue> => {
  const { task, epic, paths } = facts
  const slug = slugOf(task.title)
  const own: Record<string, string> = {
    TASK_ID: task.id,
    EPIC_ID: epic.id,
    DATE: date,
    TOPIC_SLUG: slug,
    OUTPUT_DIR: paths.output,
    MANIFEST_PATH: paths.manifest,
    RESEARCH_ID: `${task.id}-${slug}`,
    SESSION_ID: facts.session ?? 'no session',
    PROJECT_ROOT: paths.root,
    PROTOCOL: facts.protocol,
    TIER: String(facts.tier),
    DEPENDS_LIST: facts.depends.map(({ id }) => id).join(', ') || 'none',
    // `--as` comes before the arguments, because templates write the task's id after this command.
    TASK_SHOW_CMD: `cleo show --as ${facts.spawnId}`,
    TASK_FOCUS_CMD: `cleo focus set --as ${facts.spawnId}`,
    TASK_COMPLETE_CMD: `cleo complete --as ${facts.spawnId}`,
    TASK_LINK_CMD: `cleo research link --as ${facts.spawnId}`,
  }
  const foreign: Record<string, string> = {
    TOPIC: task.title,
    TASK_TITLE: task.title,
    TASK_DESCRIPTION: task.description,
    TOPICS_JSON: JSON.stringify(task.labels),
    ACCEPTANCE_CRITERIA: task.criteria.map(({ text }) => `- [ ] ${text}`).join('\n') || 'none',
  }
  return {
    ...mapped(own, (text) => ({ text })),
    ...mapped(foreign, (text) => ({ text, foreign: true, from: task.id })),
  }
}

const mapped = <T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))

/** The values of path names, unless the environment or the caller overrides them. */
export const defaults: Readonly<Record<string, string>> = {
  CLEO_ROOT: '.cleo/',
  RESEARCH_DIR: 'claudedocs/agent-outputs/',
  MANIFEST_FILE: 'claudedocs/agent-outputs/MANIFEST.jsonl',
  SPECS_DIR: 'docs/specs/',
}
