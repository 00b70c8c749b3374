import * as v from 'valibot'
import { Config } from '../kernel/config.ts'
import { innermostSchema } from '../kernel/innermost-schema.ts'
import { nearest } from '../kernel/nearest.ts'
import { describe } from '../kernel/text.ts'
import { UserConfig } from '../kernel/user-config.ts'

type Schema = v.GenericSchema<unknown, unknown>

/** One setting, such as `claims.lease`, or a group of settings, such as `claims`. */
export interface Setting {
  key: string
  /** The key in parts. A part can contain a dot: `hooks.task.added` has the parts `hooks` and `task.added`. */
  path: readonly string[]
  about: string
  /** The configuration file to which the setting belongs. No setting is allowed in both files. */
  home: 'project' | 'user'
  isGroup: boolean
  schema: Schema
}

let known: Map<string, Setting> | undefined

/** The settings and groups have the order of the schema. */
export const allSettings = (): ReadonlyMap<string, Setting> => {
  if (!known) {
    known = new Map(settingsIn(Config, 'project').map((each) => [each.key, each]))
    // A group can have settings in both files. For such a group, `home` is `project`.
    for (const each of settingsIn(UserConfig, 'user')) if (!known.has(each.key)) known.set(each.key, each)
  }
  return known
}

const settingsIn = (schema: Schema, home: Setting['home'], path: readonly string[] = []): Setting[] => {
  const { entries = {} } = innermostSchema(schema)
  return Object.entries(entries).flatMap(([name, inner]) => {
    if (name === '$schema') return []
    const below = settingsIn(inner, home, [...path, name])
    const key = [...path, name].join('.')
    const about = descriptionOf(inner) ?? `all settings of ${key}`
    return [{ key, path: [...path, name], about, home, isGroup: below.length > 0, schema: inner }, ...below]
  })
}

const descriptionOf = (schema: Schema): string | undefined => {
  const { wrapped } = schema as { wrapped?: Schema }
  return v.getDescription(schema) ?? (wrapped && descriptionOf(wrapped))
}

export const settingAt = (key: string): Setting => allSettings().get(key)!

/** Returns the group of a setting, if one description applies to the whole group. */
export const groupWithMeaning = ({ path }: Setting): Setting | undefined => {
  const group = allSettings().get(path.slice(0, -1).join('.'))
  return group && descriptionOf(group.schema) ? group : undefined
}

export const SettingKey = () =>
  describe(
    v.pipe(
      v.string(),
      v.check(
        (key) => allSettings().has(key),
        ({ input }) => unknownKey(input),
      ),
    ),
    'the setting, such as commands.test; cleo config list shows all',
  )

const unknownKey = (given: string): string => {
  const keys = [...allSettings().keys()]
  const near = keys.find((key) => key.endsWith(`.${given}`)) ?? nearest(given, keys)
  return `"${given}" is not a setting${near ? `; did you mean "${near}"?` : '; cleo config list shows all'}`
}
