import * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import { trustRecordsPath, userFolder } from '../host/user-folders.ts'
import type { Config } from '../kernel/config.ts'
import type { ConfiguredCommand } from '../kernel/config-values.ts'
import type { HookEvent, Tool } from '../kernel/config-words.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { refuse } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { isProjectId, markOf } from '../store/sqlite/project-mark.ts'

/** A part of the project that CLEO runs or puts into prompts only after a person has trusted it. */
export interface Trustable {
  kind: (typeof trustKinds)[number]
  name: string
  /** The text that is shown to a person who decides about trust. */
  what: string
  /** Undefined if the item cannot be read completely. Such an item cannot be trusted. */
  sha256?: string
  /**
   * The text to store beside the hash, so that a later change can be shown. `true` stands for the text in `what`. If
   * not set, only the hash is stored.
   */
  remembered?: true | string
}

export const trustKinds = ['setting', 'hook', 'command', 'worktree', 'skill', 'template'] as const

export type TrustState = 'trusted' | 'changed' | 'new'

const Records = v.record(v.string(), v.record(v.string(), v.string()))
type Records = v.InferOutput<typeof Records>

export const key = ({ kind, name }: Pick<Trustable, 'kind' | 'name'>): string => `${kind}:${name}`

export const storedTextKey = (key: string): string => `${key} words`

/** No other key starts with `since`. */
const sinceKey = (key: string): string => `since ${key}`

type TrustProject = Pick<Project, 'host' | 'root'> & Partial<Pick<Project, 'written'>>

/** The hash of the item covers the files that the command names. */
export const commandItem = (
  host: Host,
  folder: string,
  name: Tool,
  command: ConfiguredCommand,
): Trustable => {
  const item = trustable(host, folder, 'command', name, command.run)
  const hash = command.exclusive ? sha256(`${item.sha256}\nexclusive`) : item.sha256
  return { ...item, what: shownCommand(command), sha256: hash, remembered: true }
}

export const shownCommand = ({ run, exclusive }: ConfiguredCommand): string =>
  `${run.join(' ')}${exclusive ? ' (exclusive)' : ''}`

/** The hash of each item also covers the files that the hook names. */
export const hookItems = (host: Host, root: string, config: Config, event: HookEvent): Trustable[] =>
  hooksOf(config, event).map(({ run }, i) => trustable(host, root, 'hook', `${event} ${i + 1}`, run))

export const tokenCommand = (host: Host, root: string, program: string): Trustable =>
  trustable(host, root, 'command', `token ${program}`, [program])

export const tokenCommandState = (project: TrustProject, program: string): TrustState =>
  stateOf(project)(tokenCommand(project.host, project.root, program))

export interface HookCommand {
  run: string[]
  timeout?: number
}

export const hooksOf = (config: Config, event: HookEvent): HookCommand[] =>
  (config.hooks?.[event] ?? []).map((hook) => (Array.isArray(hook) ? { run: hook } : hook))

/** The hash of the item covers the words of the command and every file of the project that these words name. */
const trustable = (
  host: Host,
  root: string,
  kind: Trustable['kind'],
  name: string,
  run: readonly string[],
): Trustable => {
  const files = run.flatMap((word) => {
    const path = resolvePath(root, word)
    return isBelow(root, path) && host.files.kind(path) === 'file'
      ? [`${word}\n${sha256(host.files.read(path) ?? '')}`]
      : []
  })
  return { kind, name, what: run.join(' '), sha256: sha256([JSON.stringify(run), ...files].join('\n')) }
}

/** The records that were read last. A run reads them at every step, but parses the file only if it has changed. */
const parsed = new WeakMap<Host, { text: string; records: Records }>()

const readRecords = (host: Host): Readonly<Records> => {
  const path = trustRecordsPath(host)
  const text = host.files.read(path)
  if (text === undefined) return {}
  if (parsed.get(host)?.text === text) return parsed.get(host)!.records
  try {
    parsed.set(host, { text, records: v.parse(Records, JSON.parse(text)) })
    return parsed.get(host)!.records
  } catch {
    const reason = 'it is not a trust record; delete it and trust again'
    return refuse('file.unreadable', { path, reason })
  }
}

/** Returns undefined if the records belong to an earlier project at this path. */
const recordsOf = (project: TrustProject): OwnRecords | undefined => {
  const own = recordsAt(project)
  const id = own[knownKey]
  return id === undefined || id === noId || isOwnId(project, id) !== false ? own : undefined
}

const recordsAt = ({ host, root }: TrustProject): OwnRecords => readRecords(host)[root] ?? {}

export const trustedItems = (project: TrustProject) => {
  const own = recordsOf(project) ?? {}
  const hashOf = (key: string): string | undefined => (Object.hasOwn(own, key) ? own[key] : undefined)
  return { keys: Object.keys(own).filter(isItem), hashOf }
}

export const trustedHashes = (project: TrustProject) => trustedItems(project).hashOf

/** Returns a function that tells since when an item is trusted; undefined if its present form is not trusted. */
export const trustedSince = (project: TrustProject): ((item: Trustable) => number | undefined) => {
  const recorded = trustedHashes(project)
  const state = stateOf(project, recorded)
  return (item) =>
    state(item) === 'trusted'
      ? Number(recorded(sinceKey(key(item))) ?? recorded(timeKey)) || undefined
      : undefined
}

export const stateOf =
  (project: TrustProject, recorded = trustedHashes(project)) =>
  (item: Trustable): TrustState => {
    const hashes = recorded(key(item))?.split(' ')
    return hashes === undefined ? 'new' : hashes.includes(item.sha256 ?? '') ? 'trusted' : 'changed'
  }

/**
 * The key of the mark for a project that a person made or trusted on this machine. Without the mark, everything in the
 * project may have come with a clone. The value is the project id, so that the mark does not count for a clone that
 * replaces the project at the same path.
 */
const knownKey = 'project'

/** The key of the time at which a person last trusted the project as a whole. */
const timeKey = 'project at'

type ProjectWithId = Pick<Project, 'host' | 'root' | 'written'>

export const isKnown = (project: ProjectWithId): boolean => {
  const id = recordsAt(project)[knownKey]
  return id !== undefined && isOwnId(project, id) === true
}

/** Whether the trust that is recorded for this path was given to another project. */
export const isAnotherProject = (project: ProjectWithId): boolean =>
  recordsAt(project)[knownKey] !== undefined && !isKnown(project)

/**
 * Whether an id belongs to the project. Returns undefined if the answer depends on the configuration, but the caller
 * did not pass the configuration.
 */
const isOwnId = ({ host, root, written }: TrustProject, id: string): boolean | undefined => {
  if (isProjectId(id) && host.files.sizeSeen(markAt(root, id)) > 0) return true
  return written || isProjectId(id) ? written !== undefined && id === schemaId(written) : undefined
}

const markAt = (root: string, id: string): string => markOf(`${root}/.cleo/cleo.db`, id)

const schemaId = ({ project }: Config): string | undefined => project && `schema ${project}`

/**
 * With SQLite, the id comes from the name of the mark file beside the database. With PostgreSQL, the id comes from the
 * name of the schema. A clone has no id before `cleo init`.
 */
const idOf = async ({ root, written }: ProjectWithId): Promise<string> => {
  const { markedIds } = await import('../store/sqlite/project-id.ts')
  return markedIds(markAt(root, ''))[0] ?? schemaId(written) ?? noId
}

const noId = 'no id yet'

/**
 * Adds the project id to the trust records, if a person trusted the project before it had an id.
 */
export const identifyKnown = async (project: ProjectWithId): Promise<void> => {
  if (trustedHashes(project)(knownKey) !== noId) return
  const id = await idOf(project)
  await changeOwn(project, (own) => (own[knownKey] === noId ? { ...own, [knownKey]: id } : own))
}

/** Only trust in the project as a whole counts. */
export const wasTrustedAfter = (project: TrustProject, time: number): boolean =>
  Number(trustedHashes(project)(timeKey) ?? 0) > time

export interface TrustChange {
  added: string[]
  removed: string[]
}

/** Replaces all trust that is recorded for this project, and marks the project as known. */
export const record = async (project: ProjectWithId, items: readonly Trustable[]): Promise<TrustChange> => {
  const id = await idOf(project)
  const at = String(project.host.now())
  return changeOwn(project, () => ({ [knownKey]: id, [timeKey]: at, ...hashesOf(items) }))
}

/**
 * Adds items to the items that are trusted already. With `kept`, the earlier version of an item stays trusted beside
 * the new version, so that agents in different worktrees can use different versions of a command.
 */
export const addTrust = (
  project: TrustProject,
  items: readonly Trustable[],
  earlier: 'kept' | 'replaced',
): Promise<TrustChange> =>
  changeOwn(project, (own) => {
    const added = hashesOf(items)
    if (earlier === 'kept')
      for (const { kind, name, sha256 } of items)
        if (sha256) added[key({ kind, name })] = beside(own[key({ kind, name })], sha256)
    return { ...own, ...added }
  })

/** The other records of the project do not change. */
export const exchangeTrust = (
  project: TrustProject,
  removed: readonly Trustable[],
  added: readonly Trustable[],
): Promise<TrustChange> =>
  changeOwn(project, (own) => {
    const gone = new Set(Object.keys(hashesOf(removed)))
    const kept = Object.entries(own).filter(([name]) => !gone.has(name))
    return { ...Object.fromEntries(kept), ...hashesOf(added) }
  })

export const withdraw = (project: TrustProject): Promise<TrustChange> => changeOwn(project, () => undefined)

const mostVersions = 8

const beside = (earlier: string | undefined, hash: string): string =>
  [...(earlier?.split(' ') ?? []).filter((each) => each !== hash), hash].slice(-mostVersions).join(' ')

type OwnRecords = Records[string]
type ChangeRecords = (own: OwnRecords) => OwnRecords | undefined

const hashesOf = (items: readonly Trustable[]): OwnRecords =>
  Object.fromEntries(
    items.flatMap((item) => [
      ...(item.sha256 ? [[key(item), item.sha256]] : []),
      ...(item.remembered
        ? [[storedTextKey(key(item)), item.remembered === true ? item.what : item.remembered]]
        : []),
    ]),
  )

/** One file holds the records of all projects, so only one process at a time may change it. */
const changeOwn = async ({ host, root }: TrustProject, change: ChangeRecords): Promise<TrustChange> => {
  host.files.makeFolder(userFolder(host), 0o700)
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  return withFileLock(`${userFolder(host)}/trust.lock`, () => replaceOwn(host, root, change))
}

const isItem = (name: string): boolean =>
  name !== knownKey && name !== timeKey && !name.startsWith(sinceKey('')) && !name.endsWith(storedTextKey(''))

/** An item that did not change keeps its time. */
const withTimes = (own: OwnRecords, before: OwnRecords, now: number): OwnRecords => {
  const names = Object.keys(own).filter((name) => !name.startsWith(sinceKey('')))
  const times = names.filter(isItem).map((name) => {
    const kept = before[name] === own[name] ? (before[sinceKey(name)] ?? before[timeKey]) : undefined
    return [sinceKey(name), kept ?? String(now)]
  })
  return Object.fromEntries([...names.map((name) => [name, own[name]!]), ...times])
}

const replaceOwn = (host: Host, root: string, change: ChangeRecords): TrustChange => {
  const { [root]: before = {}, ...others } = readRecords(host)
  const changed = change(before)
  const after = changed && withTimes(changed, before, host.now())
  const records = after ? { ...others, [root]: after } : others
  host.files.replace(trustRecordsPath(host), `${JSON.stringify(records, null, 2)}\n`, 0o600)
  return {
    added: Object.keys(after ?? {}).filter((name) => isItem(name) && before[name] !== after?.[name]),
    removed: Object.keys(before).filter((name) => isItem(name) && after?.[name] === undefined),
  }
}
