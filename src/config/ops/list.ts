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
 * Draws one line for each setting. If one description applies to a whole group, such as the hooks, draws one line for
 * the group.
 */
const drawDefaults = (settings: readonly ShownSetting[], style: Style): string[] => {
  const rows = new Map<string, string[]>()
  for (const { key, value, about } of settings) {
    const above = groupWithMeaning(settingAt(key))
    const usual = value === undefined ? '-' : 'varies'
    const shown = above ? [`${above.key}.…`, usual, above.about] : [key, brief(key, value), about]
    rows.set(shown[0]!, [`  ${style.cyan(shown[0]!)}`, shown[1]!, style.dim(shown[2]!)])
  }
  const all = [...rows.values()]
  if (style.width === undefined || style.width >= roomForMeaning) return style.table(all, 2)
  const names = style.table(
    all.map(([key = '', value = '']) => [key, value]),
    1,
    // The empty list makes `table` cut a long value instead of putting it below its row. So each setting has exactly
    // one line.
    [],
  )
  return names.flatMap((line, i) => [line, `      ${all[i]![2]}`])
}

/** On a terminal that is narrower than this, the meaning of each setting is on a separate line below the setting. */
const roomForMeaning = 90

const mostShown = 24

const brief = (key: string, value: unknown): string => {
  const typed = typedValue(settingAt(key), value)
  return typed.length > mostShown ? `…${typed.slice(1 - mostShown)}` : typed || '-'
}
