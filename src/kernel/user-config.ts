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
            'folder for the worktrees of all projects; in your state folder, by project, when left out',
          ),
        ),
      ),
    }),
  ),
  people: v.optional(
    v.strictObject({
      allowClients: v.optional(
        v.pipe(
          v.union([v.boolean(), v.array(v.picklist(Object.values(clientVariables)))]),
          v.description('agent clients in which you may run commands for people only; true: in all'),
        ),
      ),
    }),
  ),
})
export type UserConfig = v.InferOutput<typeof UserConfig>
