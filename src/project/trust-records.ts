import * as v from 'valibot'
import { userFolder } from '../host/find-project.ts'
import type { Host } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { Config } from '../kernel/config.ts'
import { type HookEvent, hookEvents, type Tool, toolNames } from '../kernel/config-words.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { refuse } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'

/** Something in the project that CLEO runs or puts into prompts only after a person has trusted it. */
export interface Trustable {
  kind: (typeof trustKinds)[number]
  name: string
  /** What a person is shown to decide whether to trust the item. */
  what: string
  /** Undefined if the item cannot be read completely. Such an item cannot be trusted. */
  sha256?: string
  /** The item's text is stored next to the hash, so that a later change can be shown. */
  remembered?: true
}

export const trustKinds = ['hook', 'command', 'skill', 'template'] as const

export type TrustState = 'trusted' | 'changed' | 'new'

const Records = v.record(v.string(), v.record(v.string(), v.string()))
type Records = v.InferOutput<typeof Records>

// Trust is stored in the user's folder, not in the repository, because cloning a repository must not trust it.
const recordsPath = (host: Host) => `${userFolder(host)}/trust.json`

export const key = ({ kind, name }: Pick<Trustable, 'kind' | 'name'>): string => `${kind}:${name}`

/** The key of an item's stored text. */
export const storedTextKey = (key: string): string => `${key} words`

/** The items that the configuration names. `findTrustables` adds the others. */
export const trustables = ({ host, root, config }: Configured): Trustable[] => [
  ...hookEvents.flatMap((event) =>
    hooksOf(config, event).map(({ run }, i) => trustable(host, root, 'hook', `${event} ${i + 1}`, run)),
  ),
  ...toolNames.flatMap((name) => {
    const run = config.commands?.[name]
    return run ? [commandItem(host, root, name, run)] : []
  }),
  ...[...new Set(config.tokens?.commands)].map((program) => tokenCommand(host, root, program)),
]

type Configured = Pick<Project, 'host' | 'root' | 'config'>
type Trusting = Pick<Project, 'host' | 'root'>

/** A tool command of the configuration, hashed with the files it names. Each worktree has its own files. */
export const commandItem = (host: Host, folder: string, name: Tool, run: readonly string[]): Trustable =>
  trustable(host, folder, 'command', name, run)

const tokenCommand = (host: Host, root: string, program: string): Trustable =>
  trustable(host, root, 'command', `token ${program}`, [program])

/** Whether a program that templates may run is trusted. */
export const tokenCommandState = (project: Trusting, program: string): TrustState =>
  stateOf(project)(tokenCommand(project.host, project.root, program))

export interface HookCommand {
  run: string[]
  timeout?: number
}

export const hooksOf = (config: Config, event: HookEvent): HookCommand[] =>
  (config.hooks?.[event] ?? []).map((hook) => (Array.isArray(hook) ? { run: hook } : hook))

/** The hash covers the command's words and every file of the project that they name. */
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

const readRecords = (host: Host): Records => {
  const path = recordsPath(host)
  const text = host.files.read(path)
  if (text === undefined) return {}
  try {
    return v.parse(Records, JSON.parse(text))
  } catch {
    return refuse('file.unreadable', {
      path,
      reason: 'it is not a trust record; delete it and trust again',
    })
  }
}

/** Returns a function that finds the trusted hash of an item by its key. */
export const trustedHashes = ({ host, root }: Trusting): ((key: string) => string | undefined) => {
  const own = readRecords(host)[root] ?? {}
  return (key) => (Object.hasOwn(own, key) ? own[key] : undefined)
}

export const stateOf = (project: Trusting): ((item: Trustable) => TrustState) => {
  const recorded = trustedHashes(project)
  return (item) => {
    const hash = recorded(key(item))
    return hash === undefined ? 'new' : hash === item.sha256 ? 'trusted' : 'changed'
  }
}

/** Replaces what is trusted in this project. The file holds all projects, so one process at a time may change it. */
export const record = async ({ host, root }: Trusting, items: readonly Trustable[]): Promise<void> => {
  host.files.makeFolder(userFolder(host), 0o700)
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  await withFileLock(`${userFolder(host)}/trust.lock`, () => replaceOwn(host, root, items))
}

const replaceOwn = (host: Host, root: string, items: readonly Trustable[]): void => {
  const { [root]: _, ...others } = readRecords(host)
  const own = Object.fromEntries(
    items.flatMap((item) => [
      ...(item.sha256 ? [[key(item), item.sha256]] : []),
      ...(item.remembered ? [[storedTextKey(key(item)), item.what]] : []),
    ]),
  )
  const records = items.length > 0 ? { ...others, [root]: own } : others
  host.files.replace(recordsPath(host), `${JSON.stringify(records, null, 2)}\n`, 0o600)
}
