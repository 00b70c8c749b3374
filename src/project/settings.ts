import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { ActingConfig, Config, UntrustedSetting } from '../kernel/config.ts'
import type { HookEvent, Tool } from '../kernel/config-words.ts'
import { Refused } from '../kernel/result.ts'
import { isSecretVariable } from '../kernel/secret-variables.ts'
import { shownAddress } from '../store/postgres/address.ts'
import {
  commandItem,
  exchangeTrust,
  hookItems,
  stateOf,
  type Trustable,
  type TrustState,
  tokenCommand,
} from './trust-records.ts'

/**
 * Settings that act without trust: they run nothing, reach no other machine, and weaken no check. Every other
 * setting, also one that is added later, needs a person's trust.
 */
const unrestricted = new Set([
  ...['$schema', 'project', 'stages', 'manifest.path', 'spawn.maxFiles', 'merge.batch'],
  ...['output', 'budget', 'claims'],
])

interface WrittenConfig {
  host: Host
  root: string
  written: Config
}

/** A setting that acts only once trusted, with the items that a person trusts for it. */
interface RestrictedSetting {
  name: string
  items: Trustable[]
}

const restrictedSettings = ({ host, root, written }: WrittenConfig): RestrictedSetting[] =>
  namesAndValues(written).map(([name, value]) => ({ name, items: itemsOf(host, root, written, name, value) }))

/** What a person trusts in the configuration. */
export const configItems = (project: WrittenConfig): Trustable[] =>
  restrictedSettings(project).flatMap(({ items }) => items)

/**
 * Returns the settings that act. Hooks and commands stay in it: each is checked, with the files it names, when it is
 * about to run, and an untrusted command is refused instead of being replaced by a detected one.
 */
export const actingConfig = (project: WrittenConfig): ActingConfig => {
  const restricted = restrictedSettings(project)
  if (restricted.length === 0) return project.written
  const { state, unreadable } = states(project)
  const untrusted: UntrustedSetting[] = []
  let config: Config = project.written
  for (const { name, items } of restricted) {
    const found = items.map(state)
    if (found.every((each) => each === 'trusted')) continue
    if (items[0]?.kind === 'hook') {
      untrusted.push(...items.flatMap((item, i) => untrustedHook(item, found[i]!)))
      continue
    }
    untrusted.push({ name, what: items[0]?.what ?? '', changed: !found.includes('new') })
    if (items.some(({ kind }) => kind === 'setting')) config = withoutSetting(config, name)
  }
  return untrusted.length > 0 ? { ...config, untrusted, ...(unreadable && { unreadable }) } : config
}

/** Each hook of an event is trusted by itself. */
const untrustedHook = ({ name, what }: Trustable, state: TrustState): UntrustedSetting[] =>
  state === 'trusted' ? [] : [{ name: `hooks.${name}`, what, changed: state === 'changed' }]

/**
 * Returns the configuration with further hooks that have no effect: `items` are the files behind the words of each hook,
 * which only later rooms can find.
 */
export const withUntrustedHooks = (
  config: ActingConfig,
  project: Omit<WrittenConfig, 'written'>,
  items: readonly (readonly Trustable[])[],
): ActingConfig => {
  const { state } = states(project)
  const known = new Set((config.untrusted ?? []).map(({ name }) => name))
  const more = items.flatMap(([own, ...files]): UntrustedSetting[] => {
    const found = files.find((item) => state(item) !== 'trusted')
    const name = `hooks.${own!.name}`
    return found && !known.has(name) ? [{ name, what: found.what, changed: state(found) === 'changed' }] : []
  })
  return more.length > 0 ? { ...config, untrusted: [...(config.untrusted ?? []), ...more] } : config
}

/** Damaged records withdraw trust; they must not stop every command. */
const states = (
  project: Omit<WrittenConfig, 'written'>,
): { state: ReturnType<typeof stateOf>; unreadable?: string } => {
  try {
    return { state: stateOf(project) }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { state: () => 'new', unreadable: error.message }
  }
}

/** The warning that every command gives while settings wait for trust. */
export const untrustedWarning = ({ untrusted, unreadable }: ActingConfig): string => {
  const names = (untrusted ?? []).map(({ name, changed }) => (changed ? `${name} (changed)` : name))
  const why = unreadable ? ` (${unreadable.replace(/\.$/, '')})` : ''
  return `settings without effect until a person trusts them: ${names.join(', ')}${why}`
}

/**
 * Records a person's trust in a setting that they changed, and withdraws the trust of its value before. A setting such
 * as `gates.required.research` is part of `gates.required`: if that came with a clone and was not trusted, changing a
 * part of it does not trust the rest. Returns the names of the trusted settings.
 */
export const trustSetting = async (
  project: WrittenConfig,
  before: Config,
  setting: string,
): Promise<string[]> => {
  const isAround = (name: string) => isPartOf(name, setting) || isPartOf(setting, name)
  const replaced = restrictedSettings({ ...project, written: before }).filter(({ name }) => isAround(name))
  const { state } = states(project)
  const mayTrust = (name: string) =>
    isPartOf(name, setting) ||
    replaced.every((each) => each.name !== name || each.items.every((item) => state(item) === 'trusted'))
  const chosen = restrictedSettings(project).filter(({ name }) => isAround(name) && mayTrust(name))
  await exchangeTrust(
    project,
    replaced.flatMap(({ items }) => items),
    chosen.flatMap(({ items }) => items),
  )
  return chosen.map(({ name }) => name)
}

const isPartOf = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`)

/** Returns the names of the settings that do nothing yet, because no person has trusted them as they are. */
export const untrustedSettings = (project: WrittenConfig): string[] => [
  ...new Set((actingConfig(project).untrusted ?? []).map(({ name }) => settingOf(name))),
]

/** Hooks are listed one by one, with a number behind the name of the setting. */
const settingOf = (name: string): string => (name.startsWith('hooks.') ? name.replace(/ \d+$/, '') : name)

/** Whether a setting, or a part of this section, acts only once a person has trusted it. */
export const needsTrust = (setting: string): boolean => {
  const [section, key] = split(setting)
  return !unrestricted.has(section) && !unrestricted.has(`${section}.${key.split('.')[0]}`)
}

/** A section has one entry for each of its keys: `gates` has `gates.required`, `gates.reports` and others. */
const namesAndValues = (config: Config): [string, unknown][] =>
  Object.entries(config).flatMap(([section, value]) => {
    if (value === undefined || unrestricted.has(section)) return []
    if (typeof value !== 'object' || Array.isArray(value))
      return [[section, value] satisfies [string, unknown]]
    return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
      inner === undefined || unrestricted.has(`${section}.${key}`) ? [] : [[`${section}.${key}`, inner]],
    )
  })

const itemsOf = (host: Host, root: string, written: Config, name: string, value: unknown): Trustable[] => {
  const [section, key] = split(name)
  if (section === 'hooks') return hookItems(host, root, written, key as HookEvent)
  if (section === 'commands') return [commandItem(host, root, key as Tool, value as string[])]
  if (name === 'tokens.commands')
    return [...new Set(value as string[])].map((program) => tokenCommand(host, root, program))
  return [{ kind: 'setting', name, what: shown(name, value), sha256: sha256(JSON.stringify(value)) }]
}

const shown = (name: string, value: unknown): string => {
  if (name === 'database') return shownAddress(String(value))
  if (name === 'tokens.env')
    return (value as string[])
      .map((each) => (isSecretVariable(each) ? `${each} (a secret, never read)` : each))
      .join(', ')
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
}

const withoutSetting = (config: Config, name: string): Config => {
  const [section, key] = split(name)
  const { [section]: inner, ...others } = config as Record<string, unknown>
  if (key === '') return others
  const { [key]: _, ...left } = inner as Record<string, unknown>
  return { ...others, [section]: left }
}

/** Names of hook events contain dots, so only the first dot separates. */
const split = (name: string): [string, string] => {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}
