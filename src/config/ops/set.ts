import * as v from 'valibot'
import { fail } from '../../kernel/result.ts'
import { describe, unicode } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { changeSetting } from '../change-setting.ts'
import { changedShape, drawChange, UserOnly } from '../changed-setting.ts'
import { SettingKey, settingAt } from '../setting-keys.ts'
import { isSafeToStore, readValue } from '../setting-values.ts'

const mostCharacters = 64 * 1024

export const set = operation({
  name: 'admin.config.set',
  kind: 'mutate',
  tier: 2,
  summary: 'Change a setting and trust its new value.',
  input: v.strictObject({
    key: SettingKey(),
    value: describe(
      v.pipe(
        v.string(),
        unicode(),
        v.maxLength(mostCharacters, `is limited to ${mostCharacters} characters`),
        // Refuse a password here, before the value is written into a file or into a question to a person.
        v.check(
          isSafeToStore,
          'must not contain a password: put it into CLEO_DATABASE_URL, PGPASSWORD or ~/.pgpass',
        ),
      ),
      'the new value: text, a number, on or off, a list with commas, a command line, or JSON; null removes the setting',
    ),
    user: UserOnly(),
  }),
  output: changedShape,
  errors: ['input.invalid', 'path.outside'],
  needs: 'world',
  personOnly: true,
  cli: {
    command: 'config set',
    positional: ['key', 'value'],
    examples: [
      'cleo config set commands.test "python -m unittest"',
      'cleo config set output.roots docs,reports',
      'cleo config set people.allowClients claude --user',
    ],
  },
  human: drawChange,
  async run({ key, value: text, user }, world) {
    const read = readValue(settingAt(key), text)
    if (read.ok) return changeSetting(world, { key, value: read.value, user })
    const { message, fix } = read
    return fail('input.invalid', { problems: [{ path: key, message, ...(fix && { fix }) }] })
  },
})
