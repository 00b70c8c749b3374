import type * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { userFolder } from '../host/user-folders.ts'
import { checkInput } from '../kernel/check-input.ts'
import { innermostSchema, type Schema } from '../kernel/innermost-schema.ts'
import { refuse } from '../kernel/result.ts'
import { UserConfig } from '../kernel/user-config.ts'

/**
 * Returns the user's configuration, which says whether an agent client may act as a person. This function is not in
 * `read-config.ts`, because importing that file also builds the schema of the project's configuration. `complete` often
 * does not need that schema, and building it would add a tenth to its time.
 */
export const readUserConfig = (path: string, text: string): UserConfig => readAs(UserConfig, path, text)

export const userConfigPath = (host: Host): string => `${userFolder(host)}/config.json`

/** Returns undefined if there is no such file. Never blocks on a pipe. */
export const configText = ({ files }: Host, path: string): string | undefined => {
  const kind = files.kind(path)
  if (kind === 'folder') refuse('file.unreadable', { path, reason: 'it is a folder' })
  return kind === undefined ? undefined : files.read(path)
}

/** If the configuration is invalid, the refusal lists all problems. */
export const readAs = <S extends v.GenericSchema>(
  schema: S,
  path: string,
  text: string,
): v.InferOutput<S> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return refuse('config.invalid', { path, problems: [{ path: '', message: 'is not valid JSON' }] })
  }
  const lists = listsForObjects(schema, json)
  if (lists.length > 0)
    refuse('config.invalid', {
      path,
      problems: lists.map((at) => ({ path: at, message: 'must be an object, not a list' })),
    })
  const checked = checkInput(schema, json)
  return checked.ok ? checked.value : refuse('config.invalid', { path, problems: checked.problems })
}

/**
 * Returns the paths at which the input has a list although the schema has an object. The schema itself does not find
 * this, because it accepts an empty list as an object.
 */
const listsForObjects = (schema: Schema, json: unknown, path = ''): string[] => {
  const { type, entries = {} } = innermostSchema(schema)
  if (Array.isArray(json)) return /object|record/.test(type) ? [path] : []
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, value]) =>
    entries[key] ? listsForObjects(entries[key], value, path ? `${path}.${key}` : key) : [],
  )
}
