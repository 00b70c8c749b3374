import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { printable } from '../../print/printable.ts'
import { readSettings, settingShape } from '../read-settings.ts'
import { allSettings, SettingKey, settingAt } from '../setting-keys.ts'
import { typedValue } from '../setting-values.ts'

export const get = operation({
  name: 'admin.config.get',
  kind: 'query',
  tier: 2,
  summary: 'Print the value of a setting, or its default.',
  input: v.strictObject({ key: SettingKey() }),
  output: settingShape,
  errors: [],
  needs: 'world',
  cli: {
    command: 'config get',
    positional: ['key'],
    examples: ['cleo config get commands.test', 'cleo config get budget --json'],
    document: ({ key, value }) => `${printable(typedValue(settingAt(key), value))}\n`,
  },
  async run({ key }, world) {
    const setting = settingAt(key)
    const found = (await readSettings(world, [setting]))[0]!
    if (found.value !== undefined || !setting.isGroup) return ok(found)
    // If no setting of the group is set, return the defaults of the group's settings.
    const inGroup = [...allSettings().values()].filter(
      (each) => !each.isGroup && each.key.startsWith(`${key}.`),
    )
    const defaults = (await readSettings(world, inGroup)).filter(({ value }) => value !== undefined)
    if (defaults.length === 0) return ok(found)
    const named = defaults.map((each) => [each.key.slice(key.length + 1), each.value])
    return ok({ ...found, value: Object.fromEntries(named) })
  },
})
