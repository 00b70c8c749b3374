import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import { settingAt } from './setting-keys.ts'
import { typedValue } from './setting-values.ts'

/** The flag `--user` of `set` and `unset`. */
export const UserOnly = () =>
  v.optional(describe(v.boolean(), 'change only your own configuration file; refuse settings of the project'))

/** What `set` and `unset` return. */
export const changedShape = () =>
  v.object({
    key: v.string(),
    value: v.optional(v.unknown()),
    before: v.optional(v.unknown()),
    file: v.string(),
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
