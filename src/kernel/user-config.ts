import * as v from 'valibot'
import { clientVariables } from './actor.ts'

/** The schema of `config.json` in the user's own folder. Only the user may decide these settings, never a project. */
export const UserConfig = v.strictObject({
  $schema: v.optional(v.string()),
  worktrees: v.optional(
    v.strictObject({
      path: v.optional(
        v.pipe(
          v.string(),
          v.startsWith('/', 'must be an absolute path'),
          v.maxLength(500),
          v.description(
            'folder for the worktrees of all projects; default: one folder per project in your state folder',
          ),
        ),
      ),
    }),
  ),
  people: v.optional(
    v.strictObject({
      allowClients: v.optional(
        v.pipe(
          v.union([v.boolean(), v.array(v.picklist(Object.values(clientVariables())))]),
          v.description('agent clients inside which you may run people-only commands; true: all clients'),
        ),
      ),
    }),
  ),
})
export type UserConfig = v.InferOutput<typeof UserConfig>
