import { gitAt } from '../git/git.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { parseTaskId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Mentions } from './rules/rule-facts.ts'
import { type SpawnedTask, workFolderOf } from './spawned-task.ts'

/** Looks up each task, entry, file and commit that is mentioned in the last entry, its evidence or its output file. */
export const lookUpMentions = async (spawned: SpawnedTask, text: string | undefined): Promise<Mentions> => {
  const written = mentionsIn(text ?? '')
  const claims = [
    ...(await claimsOf(spawned)),
    ...(await Promise.all(spawned.given.commits.map((sha) => commit(spawned, sha)))),
  ]
  const others = await Promise.all([
    ...written.paths.map((path) => file(spawned, path)),
    ...written.commits.map((sha) => commit(spawned, sha)),
  ])
  return {
    checked: claims.length + others.length,
    missing: missing(claims),
    doubtful: missing(others).filter((what) => !missing(claims).includes(what)),
  }
}

/**
 * Looks up only what is mentioned in the entry itself. The output file is left out, because it can name things just to
 * say that they do not exist.
 */
export const lookUpClaims = async (spawned: SpawnedTask): Promise<Mentions> => {
  const claims = await claimsOf(spawned)
  return { checked: claims.length, missing: missing(claims), doubtful: [] }
}

const claimsOf = (spawned: SpawnedTask): Promise<LookedUp[]> => {
  const body = spawned.entries.at(-1)?.body ?? {}
  const { paths, commits } = mentionsIn(textsIn(body['key_findings']).join('\n'))
  return Promise.all([
    ...paths.map((path) => file(spawned, path)),
    ...commits.map((sha) => commit(spawned, sha)),
    ...textsIn(body['linked_tasks']).map((id) => task(spawned, id)),
    ...textsIn([body['revises']]).map((id) => entry(spawned, id)),
  ])
}

interface LookedUp {
  what: string
  found: boolean
}

const missing = (all: readonly LookedUp[]): string[] => [
  ...new Set(all.filter(({ found }) => !found).map(({ what }) => what)),
]

const textsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : []

/**
 * Looks for a path in three folders: the work folder, the project and the folder of the output file. A path that leads
 * out of the work folder and the project is not looked up: it counts as found.
 */
const file = async (spawned: SpawnedTask, path: string): Promise<LookedUp> => {
  const { context, standing } = spawned
  const { host, root } = context
  const work = workFolderOf(spawned)
  const beside = standing.file?.path.slice(0, standing.file.path.lastIndexOf('/')) ?? root
  const paths = [work, root, beside]
    .map((folder) => resolvePath(folder, path))
    .filter((each) => isBelow(work, each) || isBelow(root, each))
  const found = paths.length === 0 || paths.some((each) => host.files.kind(each) !== undefined)
  return { what: path, found }
}

const commit = async ({ context }: SpawnedTask, sha: string): Promise<LookedUp> => ({
  what: `commit ${sha.slice(0, 12)}`,
  found: (await gitAt(context.host, context.root)?.commit(sha)) !== undefined,
})

const task = async ({ context }: SpawnedTask, mentioned: string): Promise<LookedUp> => {
  const id = parseTaskId(mentioned)
  return {
    what: `task ${mentioned}`,
    found: id !== undefined && (await tasks.find(context.store, id)) !== undefined,
  }
}

const entry = async ({ context }: SpawnedTask, id: string): Promise<LookedUp> => ({
  what: `entry ${id}`,
  found: (await entries.find(context.store, id)) !== undefined,
})

interface MentionedIn {
  paths: string[]
  commits: string[]
}

const mostEach = 100

/**
 * Returns the paths and commits that a text mentions as existing. A path must have a folder and an extension.
 * Negated sentences and sentences about the future are skipped.
 */
export const mentionsIn = (text: string): MentionedIn => {
  // Most findings mention neither a path nor a commit. Return early for them, so that the patterns are not compiled.
  if (!text.includes('/') && !text.toLowerCase().includes('commit')) return { paths: [], commits: [] }
  const paths = new Set<string>()
  const commits = new Set<string>()
  for (const sentence of text.split(/(?<=[.!?;])\s|\n/)) {
    if (sentence.length > 2000 || denials.test(sentence)) continue
    for (const word of sentence.split(/[\s()[\]{}<>"'`,;|]+/)) {
      const path = pathIn(word)
      if (path !== undefined && paths.size < mostEach) paths.add(path)
    }
    for (const [, sha] of sentence.matchAll(/\bcommit[:\s`]{1,3}([0-9a-f]{7,40})\b/gi))
      if (commits.size < mostEach) commits.add(sha!.toLowerCase())
  }
  return { paths: [...paths], commits: [...commits] }
}

const denials =
  /\b(?:no|not|none|neither|nor|never|without|missing|lacks?|absent|cannot|removed?|deleted?|deletes|renamed?|moved|former(?:ly)?|should|would|could|will|must|propos\w*|plan\w*|new|creates?|add(?:s|ed)?|e\.g|example|such as)\b|n't\b/i

/** Returns the file path in a word, without a line number such as `:12`; undefined if the word is not a file path. */
const pathIn = (word: string): string | undefined => {
  const path = word.replace(/[.:!?]+$/, '').replace(/:\d+(?:[-:]\d+)?$/, '')
  if (path.length > 300 || path.includes('://') || !path.includes('/')) return undefined
  if (!/^(?:\.{1,2}\/|\/)?[\w@+.-]+(?:\/[\w@+.-]+)*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(path)) return undefined
  // Reject the name of a scoped package, and an address such as `example.com/index.html`.
  return /^(?:@|www\.)|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|sh|ai|edu|gov)\//i.test(path)
    ? undefined
    : path
}
