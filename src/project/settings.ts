import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { ActingConfig, Config, UntrustedSetting } from '../kernel/config.ts'
import type { ConfiguredCommand } from '../kernel/config-values.ts'
import { type HookEvent, type Tool, toolNames } from '../kernel/config-words.ts'
import { Refused } from '../kernel/result.ts'
import { isSecretVariable } from '../kernel/secret-variables.ts'
import { shownAddress } from '../store/postgres/address.ts'
import {
  commandItem,
  exchangeTrust,
  hookItems,
  isAnotherProject,
  key,
  shownCommand,
  stateOf,
  storedTextKey,
  type Trustable,
  type TrustState,
  tokenCommand,
  trustedItems,
} from './trust-records.ts'

/**
 * Settings that need no trust, because they run nothing, reach no other machine and weaken no check. Every setting
 * that is not in this list needs a person's trust.
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

/** A setting that has no effect until a person trusts it, with the items to trust. */
interface RestrictedSetting {
  name: string
  items: Trustable[]
}

const restrictedSettings = ({ host, root, written }: WrittenConfig): RestrictedSetting[] =>
  namesAndValues(written).map(([name, value]) => ({ name, items: itemsOf(host, root, written, name, value) }))

export const configItems = (project: WrittenConfig): Trustable[] =>
  restrictedSettings(project).flatMap(({ items }) => items)

/** A setting or command that is still trusted, but is no longer in the configuration. */
export interface RemovedSetting {
  name: string
  item: Trustable
}

/**
 * Leaves out the settings and commands whose trust was withdrawn. Three commands withdraw the trust in settings that
 * are gone: `cleo config unset` by a person, `cleo db move` and `cleo trust`.
 */
export const removedSettings = (
  project: WrittenConfig,
  items: readonly Trustable[] = configItems(project),
  trusted = trustedItems(project),
): RemovedSetting[] => {
  const now = new Set(items.map(key))
  const removed = trusted.keys.flatMap((each): RemovedSetting[] => {
    const [kind, name] = [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1)]
    const isCommand = kind === 'command' && toolNames.includes(name as Tool)
    if (now.has(each) || (kind !== 'setting' && !isCommand)) return []
    const what = trusted.hashOf(storedTextKey(each)) ?? 'another value'
    const item = { kind: kind as Trustable['kind'], name, what, sha256: 'removed', remembered: true as const }
    return [{ name: isCommand ? `commands.${name}` : name, item }]
  })
  return removed.length > 0 && isAnotherProject(project) ? [] : removed
}

/**
 * Returns the settings in effect. Leaves out untrusted settings. If an untrusted setting defines a check, such as
 * `gates.required`, the value that a person trusted stays in effect. Untrusted hooks and commands stay too, because
 * they are refused just before they run. If a command were left out here, a detected command would take its place.
 */
export const actingConfig = (project: WrittenConfig): ActingConfig => {
  const restricted = restrictedSettings(project)
  const { state, removed, trustedValue, unreadable } = states(project, restricted)
  const untrusted: UntrustedSetting[] = []
  let config: Config = project.written
  for (const { name, items } of restricted) {
    const found = items.map(state)
    if (found.every((each) => each === 'trusted') || isStricter(name, project.written)) continue
    if (items[0]?.kind === 'hook') {
      untrusted.push(...items.flatMap((item, i) => untrustedHook(item, found[i]!)))
      continue
    }
    untrusted.push({ name, what: items[0]?.what ?? '', changed: !found.includes('new') })
    if (items.some(({ kind }) => kind === 'setting')) config = withSetting(config, name, trustedValue(name))
  }
  for (const { name, item } of removed) {
    untrusted.push({ name, what: item.what, changed: true, removed: true })
    if (item.kind === 'setting') config = withSetting(config, name, trustedValue(name))
  }
  return untrusted.length > 0 ? { ...config, untrusted, ...(unreadable && { unreadable }) } : config
}

/** Each hook of an event is trusted separately. */
const untrustedHook = ({ name, what }: Trustable, state: TrustState): UntrustedSetting[] =>
  state === 'trusted' ? [] : [{ name: `hooks.${name}`, what, changed: state === 'changed' }]

/**
 * If a hook has an untrusted file, adds the hook to the untrusted settings. Each list in `items` has a hook and its
 * files. The caller finds these files, because this folder must not import `project-commands`.
 */
export const withUntrustedHooks = (
  config: ActingConfig,
  project: WrittenConfig,
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

/** If the records are damaged, nothing counts as trusted, but commands of CLEO still run. */
const states = (project: WrittenConfig, restricted = restrictedSettings(project)): TrustStates => {
  try {
    const trusted = trustedItems(project)
    const items = restricted.flatMap((setting) => setting.items)
    const trustedValue = (name: string): unknown => {
      const stored = keepsValue(name)
        ? trusted.hashOf(storedTextKey(key({ kind: 'setting', name })))
        : undefined
      return stored === undefined ? undefined : JSON.parse(stored)
    }
    return {
      state: stateOf(project, trusted.hashOf),
      removed: removedSettings(project, items, trusted),
      trustedValue,
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { state: () => 'new', removed: [], trustedValue: () => undefined, unreadable: error.message }
  }
}

interface TrustStates {
  state: ReturnType<typeof stateOf>
  removed: RemovedSetting[]
  /** Returns the trusted value of a setting, if it was stored. */
  trustedValue(name: string): unknown
  unreadable?: string
}

/**
 * Whether the trusted value of a setting stays in effect after an edit that no person has trusted. True for settings
 * that define checks, because such an edit must not switch a check off.
 */
const keepsValue = (name: string): boolean => name.startsWith('gates.') || name === 'run.verify'

/** Whether a value needs no trust, because it only restricts what programs may do. */
const isStricter = (name: string, { run }: Config): boolean =>
  name === 'run.verify' && run?.verify === 'bubblewrap'

export const untrustedWarning = ({ untrusted, unreadable }: ActingConfig): string => {
  const named = (untrusted ?? []).map(({ name, changed, removed }) =>
    removed ? `${name} (removed)` : changed ? `${name} (changed)` : name,
  )
  const why = unreadable ? ` (${unreadable.replace(/\.$/, '')})` : ''
  const isRemoval = untrusted?.every(({ removed }) => removed)
  const what = isRemoval ? 'changes to settings' : 'settings'
  return `${what} have no effect until a person trusts them: ${named.join(', ')}${why}`
}

/**
 * Records a person's trust in a setting that this person changed, and withdraws the trust in its former value. The
 * setting can be a part of another setting, as `gates.required.research` is a part of `gates.required`. If the
 * whole setting was not trusted before, changing a part does not trust the rest. Returns the names of the trusted
 * settings.
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
  const gone = removedSettings(project).filter(({ name }) => isAround(name))
  await exchangeTrust(
    project,
    [...replaced.flatMap(({ items }) => items), ...gone.map(({ item }) => item)],
    chosen.flatMap(({ items }) => items),
  )
  return chosen.map(({ name }) => name)
}

const isPartOf = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`)

export const untrustedSettings = (project: WrittenConfig): string[] => [
  ...new Set((actingConfig(project).untrusted ?? []).map(({ name }) => settingOf(name))),
]

/**
 * Returns the name of the setting that a trust item belongs to. An item of a hook has a number after the name of its
 * setting; this number is removed.
 */
const settingOf = (name: string): string => (name.startsWith('hooks.') ? name.replace(/ \d+$/, '') : name)

export const needsTrust = (setting: string): boolean => {
  const [section, key] = split(setting)
  return !unrestricted.has(section) && !unrestricted.has(`${section}.${key.split('.')[0]}`)
}

/**
 * Returns the name and value of each setting that needs trust. A section has one setting per key: `gates` has
 * `gates.required`, `gates.reports` and others.
 */
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
  if (section === 'commands') return [commandItem(host, root, key as Tool, value as ConfiguredCommand)]
  if (name === 'tokens.commands')
    return [...new Set(value as string[])].map((program) => tokenCommand(host, root, program))
  const json = JSON.stringify(value)
  const remembered = keepsValue(name) ? { remembered: json } : {}
  return [{ kind: 'setting', name, what: shown(name, value), sha256: sha256(json), ...remembered }]
}

const shown = (name: string, value: unknown): string => {
  if (name === 'database') return shownAddress(String(value))
  if (name === 'tokens.env')
    return (value as string[])
      .map((each) => (isSecretVariable(each) ? `${each} (a secret, never read)` : each))
      .join(', ')
  if (name === 'worktrees.setup') return (value as ConfiguredCommand[]).map(shownCommand).join('; ')
  if (name === 'run.command') return shownCommand(value as ConfiguredCommand)
  return Array.isArray(value) ? value.join(', ') : typeof value === 'string' ? value : JSON.stringify(value)
}

/** If the value is undefined, removes the setting. */
const withSetting = (config: Config, name: string, value: unknown): Config => {
  const [section, key] = split(name)
  const { [section]: inner, ...others } = config as Record<string, unknown>
  if (key === '') return others
  const { [key]: _, ...left } = (inner ?? {}) as Record<string, unknown>
  if (inner === undefined && value === undefined) return config
  return { ...others, [section]: { ...left, ...(value !== undefined && { [key]: value }) } }
}

/** Splits at the first dot only, because names of hook events contain dots. */
const split = (name: string): [string, string] => {
  const dot = name.indexOf('.')
  return dot < 0 ? [name, ''] : [name.slice(0, dot), name.slice(dot + 1)]
}
