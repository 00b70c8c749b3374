import type { Host } from '../host/host.ts'
import type { Config } from '../kernel/config.ts'
import { type Failure, fail, ok, Refused, type Result, refuse } from '../kernel/result.ts'
import type { UserConfig } from '../kernel/user-config.ts'
import type { Context, UnopenedWorld, Write } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { type ConfigFile, changeConfigFile, type OpenConfigFile } from '../project/config-file.ts'
import { whyNoManifest, whyOutside } from '../project/confined-path.ts'
import { readConfig } from '../project/read-config.ts'
import { readUserConfig, userConfigPath } from '../project/read-user-config.ts'
import { needsTrust, trustSetting } from '../project/settings.ts'
import { addTrust } from '../project/trust-records.ts'
import type { ChangedSetting } from './changed-setting.ts'
import { projectConfigPath } from './read-settings.ts'
import { type Setting, settingAt } from './setting-keys.ts'
import { typedValue, valueAt, withoutSecret, withValue } from './setting-values.ts'

type Settings = Config | UserConfig

export interface SettingChange {
  key: string
  /** The new value. Undefined removes the setting. */
  value: unknown
  /** True to accept only settings of the user's own file. */
  user?: boolean
}

/**
 * Changes one setting in its file, records the change in the audit log, and trusts the value if a person has set
 * it.
 */
export const changeSetting = async (
  world: UnopenedWorld,
  { key, value, user }: SettingChange,
): Promise<Result<ChangedSetting, 'input.invalid' | 'path.outside'>> => {
  const setting = settingAt(key)
  if (user && setting.home === 'project') return notOfUser(setting, value)
  const { root, file } = await homeOf(world, setting)
  const outside = root && pathOutside(root, key, value)
  if (outside) return outside
  const log = await openLog(world, setting)
  const change = changeIn(setting, value)
  let trust: Trust | undefined
  const apply = (tx?: Write) =>
    changeConfigFile(world, file, async (open) => {
      const changed = await change(open, tx)
      // Trust the value while the file is still locked. The next process that changes the setting then finds a trusted
      // value.
      if (changed.ok) trust ??= await trustIfPerson(world, setting, root, changed.value)
      return changed
    })
  const changed = await (log.context ? log.context.write((tx) => apply(tx)) : apply())
  if (!changed.ok) return changed
  const { before, config } = changed.value
  const shown = { value: withoutSecret(setting, value), before: withoutSecret(setting, before) }
  return ok(
    {
      key,
      ...(shown.value !== undefined && { value: shown.value }),
      ...(shown.before !== undefined && { before: shown.before }),
      file: file.path,
      ...(trust?.trusted.length && { trusted: trust.trusted }),
      ...(isSame(before, value) && { noChange: true as const }),
    },
    {
      warnings: [
        ...log.warnings,
        ...(trust?.warnings ?? []),
        ...databaseWarnings(world.host, setting, value, config),
      ],
    },
  )
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * Refuses a path that CLEO must not use, such as one outside the project. If the path were stored, every later command
 * would refuse it.
 */
const pathOutside = (root: string, key: string, value: unknown): Failure<'path.outside'> | undefined => {
  if (!['output.dir', 'output.roots', 'manifest.path', 'worktrees.copy'].includes(key)) return undefined
  const whyNot = key === 'manifest.path' ? whyNoManifest : whyOutside
  for (const path of [value].flat()) {
    const why = typeof path === 'string' && path !== '' ? whyNot(root, path) : undefined
    if (why)
      return {
        ...fail('path.outside', { setting: key, path: String(path), why }),
        fix: `cleo config get ${key}`,
      }
  }
  return undefined
}

const notOfUser = (setting: Setting, value: unknown): Failure<'input.invalid'> => {
  const { key } = setting
  const typed = shellQuote(typedValue(setting, value))
  return fail('input.invalid', {
    problems: [
      {
        path: 'user',
        message: `${key} is a setting of the project, not your own; leave --user out`,
        fix: value === undefined ? `cleo config unset ${key}` : `cleo config set ${key} ${typed}`,
      },
    ],
  })
}

interface Home {
  /** The project's folder, if the setting belongs to a project. */
  root?: string
  file: ConfigFile<Settings>
}

const homeOf = async (world: UnopenedWorld, { home }: Setting): Promise<Home> => {
  if (home === 'user') {
    const path = userConfigPath(world.host)
    return { file: { path, mode: 0o600, check: (text) => readUserConfig(path, text) } }
  }
  const { root, found, path } = await projectConfigPath(world)
  if (!found) return refuse('project.missing', { from: root })
  return { root, file: { path, mode: 0o644, check: (text) => readConfig(path, text) } }
}

interface Log {
  context?: Context
  warnings: string[]
}

/**
 * Opens the store to write the change into its audit log. If that fails, the setting can still be changed, because
 * changing it may be the only way to open the store again.
 */
const openLog = async (world: UnopenedWorld, { home }: Setting): Promise<Log> => {
  if (world.dryRun) return { warnings: [] }
  try {
    return { context: await world.open(), warnings: [] }
  } catch (error) {
    // A setting can be changed without a store, so most refusals are ignored. Three kinds are not ignored: a missing
    // or ended session, a cloned store, and a link in place of a file.
    if (!(error instanceof Refused) || error.failure.code.startsWith('session.')) throw error
    if (error.failure.code === 'store.cloned' || error.failure.code === 'file.link') throw error
    return {
      warnings:
        home === 'user'
          ? []
          : [`not in the audit log: ${error.message.replace(' Nothing was changed.', '')}`],
    }
  }
}

/**
 * Returns a function that changes the open file. After a lost connection, the store runs the function again. The first
 * run may already have changed the file. So the function keeps the value from before its first run.
 */
const changeIn = (setting: Setting, value: unknown) => {
  let first: { before: unknown; was: Settings } | undefined
  return async ({ raw, config, replace }: OpenConfigFile<Settings>, tx?: Write) => {
    first ??= { before: valueAt(raw, setting.path), was: config }
    const { before, was } = first
    if (isSame(before, value)) return ok({ before, was, config })
    const shown = (given: unknown) => ({ [setting.key]: withoutSecret(setting, given) ?? null })
    await tx?.record({ before: shown(before), after: shown(value) })
    try {
      return ok({ before, was, config: replace(withValue(raw, setting.path, value)) })
    } catch (error) {
      // The file was valid before, so the given value is invalid.
      if (!(error instanceof Refused) || error.failure.code !== 'config.invalid') throw error
      return fail('input.invalid', { problems: error.failure.problems ?? [] })
    }
  }
}

interface Trust {
  trusted: string[]
  warnings: string[]
}

const trustIfPerson = async (
  { host, dryRun }: UnopenedWorld,
  { key }: Setting,
  root: string | undefined,
  { was, config }: { was: Settings; config: Settings },
): Promise<Trust> => {
  if (root === undefined || dryRun || !(needsTrust(key) || key === 'project'))
    return { trusted: [], warnings: [] }
  try {
    const trusted = await trustSetting({ host, root, written: config as Config }, was as Config, key)
    if (trusted.some((name) => name.startsWith('hooks.')))
      await trustHookFiles(host, root, config as Config, trusted)
    if (trusted.includes('worktrees.setup')) await trustSetUpFiles(host, root, config as Config)
    return { trusted, warnings: [] }
  } catch (error) {
    // The setting is already changed, so a failure to trust it is only a warning.
    if (!(error instanceof Refused)) throw error
    return { trusted: [], warnings: [`${key} is not trusted: ${error.message} See: cleo trust`] }
  }
}

const trustHookFiles = async (
  host: Host,
  root: string,
  config: Config,
  trusted: readonly string[],
): Promise<void> => {
  const { itemsOfHooks } = await import('../project-commands/hook-files.ts')
  const chosen = itemsOfHooks({ host, root }, config).filter(([own]) =>
    trusted.includes(`hooks.${own!.name.slice(0, own!.name.lastIndexOf(' '))}`),
  )
  await addTrust(
    { host, root },
    chosen.flatMap(([, ...files]) => files),
    'replaced',
  )
}

/** Trusts the commands that set up a worktree, and the files that these commands run. */
const trustSetUpFiles = async (host: Host, root: string, written: Config): Promise<void> => {
  const { itemsOfStep, setUpOf } = await import('../worktrees/set-up-trust.ts')
  const { steps } = setUpOf({ host, root, written }, root)
  await addTrust({ host, root }, steps.flatMap(itemsOfStep), 'replaced')
}

const databaseWarnings = (host: Host, { key }: Setting, value: unknown, config: Settings): string[] => {
  if (key !== 'database') return []
  const over = host.env['CLEO_DATABASE_URL'] ? ['CLEO_DATABASE_URL is set and takes precedence'] : []
  return value === undefined || 'project' in config
    ? over
    : [...over, 'this moves no data: to move it, run cleo config unset database, then cleo db move']
}
