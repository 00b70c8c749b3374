import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import type { Style } from '../../kernel/style.ts'
import { operation } from '../../operation/operation.ts'
import { leafSettings, readSettings, type ShownSetting, settingShape } from '../read-settings.ts'
import { groupWithMeaning, settingAt } from '../setting-keys.ts'
import { typedValue } from '../setting-values.ts'

export const list = operation({
  name: 'admin.config.list',
  kind: 'query',
  tier: 2,
  summary: 'List all settings with value, default, origin and meaning.',
  input: v.strictObject({}),
  output: () => v.object({ settings: v.array(settingShape()) }),
  errors: [],
  needs: 'world',
  cli: {
    command: 'config list',
    also: ['config'],
    suggestedFor: ['settings', 'preferences'],
    examples: ['cleo config', 'cleo config list --json'],
  },
  human: ({ settings }, style) => {
    const isSet = ({ origin }: ShownSetting) => origin !== 'default'
    const set = settings.filter(isSet)
    return [
      ...(set.length === 0 ? [style.dim('Nothing is set; the defaults apply.')] : drawSet(set, style)),
      '',
      style.bold('Defaults'),
      ...drawDefaults(
        settings.filter((each) => !isSet(each)),
        style,
      ),
      style.dim('cleo config list --json lists every setting with its whole meaning.'),
    ]
  },
  run: async (_, world) => ok({ settings: await readSettings(world, leafSettings()) }),
})

const drawSet = (settings: readonly ShownSetting[], style: Style): string[] =>
  style.table(
    settings.map(({ key, value, origin, untrusted }) => [
      style.cyan(key),
      typedValue(settingAt(key), value),
      untrusted ? style.yellow(`${origin}, not trusted; see: cleo trust`) : style.dim(origin),
    ]),
    1,
  )

/**
 * Draws a row for each setting. If one description applies to a whole group, such as the hooks, draws one row for the
 * group.
 */
const drawDefaults = (settings: readonly ShownSetting[], style: Style): string[] => {
  const rows = new Map<string, [key: string, value: string, about: string]>()
  for (const { key, value, about } of settings) {
    const above = groupWithMeaning(settingAt(key))
    const usual = value === undefined ? '-' : 'varies'
    const shown = typedValue(settingAt(key), value) || '-'
    rows.set(above ? above.key : key, above ? [`${above.key}.…`, usual, above.about] : [key, shown, about])
  }
  const all = [...rows.values()]
  if (style.width === undefined)
    return style.table(
      all.map(([key, value, about]) => [`  ${style.cyan(key)}`, value, style.dim(about)]),
      2,
    )
  const beforeValue = Math.max(0, ...all.map(([key]) => key.length)) + 4
  const beforeMeaning = beforeValue + usualValue + 2
  const isBeside = style.width - beforeMeaning >= roomForMeaning
  const indent = isBeside ? beforeMeaning : 6
  return all.flatMap(([key, value, about]) => {
    const name = style.fit(`  ${style.cyan(key)}`, beforeValue) + endOf(value, style.width! - beforeValue)
    const meaning = style.wrap(about, style.width! - indent, mostLines).map((line) => style.dim(line))
    const below = meaning.map((line) => ' '.repeat(indent) + line)
    return isBeside && value.length <= usualValue
      ? [`${style.fit(name, indent)}${meaning[0]}`, ...below.slice(1)]
      : [name, ...below]
  })
}

/** If a value has more characters than this, its description is printed below it instead of on the same line. */
const usualValue = 24

/** If fewer columns than this are left for the descriptions, each description is printed below its setting. */
const roomForMeaning = 48

/** A description is cut after this many lines. */
const mostLines = 6

/** Cuts off the beginning, because most long values are paths, and the end of a path says more. */
const endOf = (value: string, room: number): string =>
  value.length > room && room > 0 ? `…${value.slice(1 - room)}` : value
