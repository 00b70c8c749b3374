import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import { settingAt } from './setting-keys.ts'
import { typedValue } from './setting-values.ts'

/** The flag `--user` of `set` and `unset`. */
export const UserOnly = () =>
  v.optional(
    describe(
      v.boolean(),
      'change your own configuration file; refused for settings that belong to a project',
    ),
  )

/** What `set` and `unset` return. */
export const changedShape = () =>
  v.object({
    key: v.string(),
    value: v.optional(v.unknown()),
    /** The former value. */
    before: v.optional(v.unknown()),
    /** The configuration file that contains the setting. */
    file: v.string(),
    /** The settings that are trusted because of this change. */
    trusted: v.optional(v.array(v.string())),
    noChange: v.optional(v.literal(true)),
  })
export type ChangedSetting = v.InferOutput<ReturnType<typeof changedShape>>

export const drawChange = (
  { key, value, file, trusted, noChange }: ChangedSetting,
  style: Style,
): string[] => [
  `${style.cyan(key)} ${value === undefined ? 'is not set' : `= ${typedValue(settingAt(key), value)}`}${noChange ? ', as before' : ''}`,
  style.dim(`  in ${file}`),
  ...(trusted ? [style.dim(`  trusted: ${trusted.join(', ')}`)] : []),
]
