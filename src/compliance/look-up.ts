import { gitAt } from '../host/git.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { namedIn } from './rules/named.ts'
import type { Named } from './rules/observed.ts'
import { type Sight, workFolder } from './sight.ts'

/** Looks for what entry, evidence and output file name: tasks, entries, files and commits. */
export const lookUp = async (sight: Sight, text: string | undefined): Promise<Named> => {
  const { given, entries: handed } = sight
  const body = handed.at(-1)?.body ?? {}
  const said = namedIn(textsIn(body['key_findings']).join('\n'))
  const written = namedIn(text ?? '')
  const claims = await Promise.all([
    ...said.paths.map((path) => file(sight, path)),
    ...[...said.commits, ...given.commits].map((sha) => commit(sight, sha)),
    ...textsIn(body['linked_tasks']).map((id) => task(sight, id)),
    ...textsIn([body['revises']]).map((id) => entry(sight, id)),
  ])
  const others = await Promise.all([
    ...written.paths.map((path) => file(sight, path)),
    ...written.commits.map((sha) => commit(sight, sha)),
  ])
  return {
    looked: claims.length + others.length,
    missing: missing(claims),
    doubtful: missing(others).filter((what) => !missing(claims).includes(what)),
  }
}

interface LookedUp {
  what: string
  found: boolean
}

const missing = (looked: readonly LookedUp[]): string[] => [
  ...new Set(looked.filter(({ found }) => !found).map(({ what }) => what)),
]

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

/** A path is meant from the work folder, from the project or from the output file; what lies elsewhere is not ours to look at. */
const file = async (sight: Sight, path: string): Promise<LookedUp> => {
  const { context, standing } = sight
  const { host, root } = context
  const work = workFolder(sight)
  const beside = standing.file?.path.slice(0, standing.file.path.lastIndexOf('/')) ?? root
  const places = [work, root, beside]
    .map((folder) => resolvePath(folder, path))
    .filter((place) => isBelow(work, place) || isBelow(root, place))
  const found = places.length === 0 || places.some((place) => host.files.kind(place) !== undefined)
  return { what: path, found }
}

const commit = async ({ context }: Sight, sha: string): Promise<LookedUp> => ({
  what: `commit ${sha.slice(0, 12)}`,
  found: (await gitAt(context.host, context.root)?.commit(sha)) !== undefined,
})

const task = async ({ context }: Sight, said: string): Promise<LookedUp> => {
  const id = parseTaskId(said)
  return {
    what: `task ${said}`,
    found: id !== undefined && (await tasks.find(context.store, id)) !== undefined,
  }
}

const entry = async ({ context }: Sight, id: string): Promise<LookedUp> => ({
  what: `entry ${id}`,
  found: (await entries.find(context.store, id)) !== undefined,
})
