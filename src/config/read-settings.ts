import * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { refuseOwnLinks } from '../host/node-own-links.ts'
import type { Config } from '../kernel/config.ts'
import { refuse } from '../kernel/result.ts'
import type { World } from '../operation/context.ts'
import type { RawConfig } from '../project/config-file.ts'
import { findProject } from '../project/find-project.ts'
import { readConfig } from '../project/read-config.ts'
import { configText, readUserConfig, userConfigPath } from '../project/read-user-config.ts'
import { untrustedSettings } from '../project/settings.ts'
import { defaultOf } from './setting-defaults.ts'
import { allSettings, type Setting } from './setting-keys.ts'
import { valueAt, withoutSecret } from './setting-values.ts'

const origins = ['default', 'user', 'project', 'environment'] as const

/** A setting with its value, as `list` and `get` return it. */
export const settingShape = () =>
  v.object({
    key: v.string(),
    /** What the setting does. */
    about: v.string(),
    value: v.optional(v.unknown()),
    default: v.optional(v.unknown()),
    origin: v.picklist(origins),
    /** Set if the value has no effect until a person trusts it. */
    untrusted: v.optional(v.literal(true)),
  })
export type ShownSetting = v.InferOutput<ReturnType<typeof settingShape>>

export const projectConfigPath = async ({ host, named }: Pick<World, 'host' | 'named'>) => {
  const { root, found } = await findProject(host, named)
  if (found) refuseOwnLinks(`${root}/.cleo`)
  return { root, found, path: `${root}/.cleo/config.json` }
}

interface ReadFiles {
  project: RawConfig
  user: RawConfig
  untrusted: readonly string[]
}

/** Refuses if a file that may contain a requested setting is invalid. */
export const readSettings = async (
  world: Pick<World, 'host' | 'named'>,
  asked: readonly Setting[],
): Promise<ShownSetting[]> => {
  const homes = new Set(asked.map(({ home }) => home))
  const files: ReadFiles = {
    ...(homes.has('project') ? await readProject(world) : { project: {}, untrusted: [] }),
    user: homes.has('user') ? readUser(world.host) : {},
  }
  return asked.map((setting) => shownSetting(world.host, files, setting))
}

export const leafSettings = (): Setting[] => [...allSettings().values()].filter(({ isGroup }) => !isGroup)

const readUser = (host: Host): RawConfig => {
  const path = userConfigPath(host)
  const text = configText(host, path)
  if (text === undefined) return {}
  readUserConfig(path, text)
  return JSON.parse(text) as RawConfig
}

const readProject = async (world: Pick<World, 'host' | 'named'>): Promise<Omit<ReadFiles, 'user'>> => {
  const { host } = world
  const { root, found, path } = await projectConfigPath(world)
  if (!found) return refuse('project.missing', { from: root })
  const text = configText(host, path) ?? ''
  const written: Config = readConfig(path, text)
  return { project: JSON.parse(text) as RawConfig, untrusted: untrustedSettings({ host, root, written }) }
}

const shownSetting = ({ env }: Host, files: ReadFiles, setting: Setting): ShownSetting => {
  const { key, about, home, path } = setting
  const over = key === 'database' ? env['CLEO_DATABASE_URL'] || undefined : undefined
  const inFile = valueAt(files[home], path)
  const usual = defaultOf(key, files.project)
  const value = withoutSecret(setting, over ?? inFile ?? usual)
  return {
    key,
    about,
    ...(value !== undefined && { value }),
    ...(usual !== undefined && { default: usual }),
    origin: over !== undefined ? 'environment' : inFile !== undefined ? home : 'default',
    ...(isUntrusted(files.untrusted, setting) && { untrusted: true as const }),
  }
}

/**
 * `untrusted` lists settings and groups. A setting is also untrusted if its group is listed. A group is also untrusted
 * if one of its settings is listed.
 */
const isUntrusted = (untrusted: readonly string[], { key, isGroup }: Setting): boolean =>
  untrusted.some(
    (each) => key === each || key.startsWith(`${each}.`) || (isGroup && each.startsWith(`${key}.`)),
  )
