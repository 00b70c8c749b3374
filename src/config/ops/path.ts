import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { printable } from '../../print/printable.ts'
import { userConfigPath } from '../../project/read-user-config.ts'
import { projectConfigPath } from '../read-settings.ts'

export const path = operation({
  name: 'admin.config.path',
  kind: 'query',
  tier: 2,
  summary: "Print the paths of the project's configuration file and of your own.",
  input: v.strictObject({}),
  output: () => v.object({ project: v.optional(v.string()), user: v.string() }),
  errors: [],
  needs: 'world',
  cli: {
    command: 'config path',
    examples: ['cleo config path', 'cleo config path --field project'],
    document: ({ project, user }) =>
      [project, user].flatMap((each) => (each ? [`${printable(each)}\n`] : [])).join(''),
  },
  async run(_, world) {
    const { found, path } = await projectConfigPath(world)
    return ok({ ...(found && { project: path }), user: userConfigPath(world.host) })
  },
})
