import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { changeSetting } from '../change-setting.ts'
import { changedShape, drawChange, UserOnly } from '../changed-setting.ts'
import { SettingKey } from '../setting-keys.ts'

export const unset = operation({
  name: 'admin.config.unset',
  kind: 'mutate',
  tier: 2,
  summary: 'Remove a setting, so that its default applies again.',
  input: v.strictObject({
    key: SettingKey(),
    user: UserOnly(),
  }),
  output: changedShape,
  errors: ['input.invalid', 'path.outside'],
  needs: 'world',
  personOnly: true,
  cli: {
    command: 'config unset',
    positional: ['key'],
    examples: ['cleo config unset commands.test', 'cleo config unset budget --dry-run'],
  },
  human: drawChange,
  run: ({ key, user }, world) => changeSetting(world, { key, value: undefined, user }),
})
