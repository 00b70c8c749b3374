import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { printable } from '../../print/printable.ts'
import { readSettings, settingShape } from '../read-settings.ts'
import { SettingKey, settingAt } from '../setting-keys.ts'
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
  run: async ({ key }, world) => ok((await readSettings(world, [settingAt(key)]))[0]!),
})
