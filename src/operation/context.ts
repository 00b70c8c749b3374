import type { Host } from '../host/host.ts'
import type { Actor } from '../kernel/actor.ts'
import type { ActingConfig, Config } from '../kernel/config.ts'
import type { HookEvent } from '../kernel/config-words.ts'
import type { ProgressListener } from '../kernel/progress.ts'
import type { Result } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import type { Db, Store } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'

/** What every operation receives. */
export interface World {
  host: Host
  actor: Actor
  dryRun: boolean
  /** The project folder that the caller named, if any. */
  named?: string
  /** Missing if the caller shows no progress. */
  progress?: ProgressListener
  /** The sandbox for commands of the project. If it is missing, they run as this user, without a sandbox. */
  sandbox?: 'bubblewrap'
  /** Missing if no caller watches the operation. */
  live?: Live
  /** Runs hooks after a database transaction is committed. Returns a warning for each hook that failed. */
  runHooks(
    context: Omit<Context, 'write'>,
    operation: string,
    emitted: readonly EmittedEvent[],
  ): Promise<string[]>
  /**
   * Detects the facts that `init` shows about a new project. With `trust`, also records that the person who makes
   * the project trusts its commands.
   */
  detectNewProject(project: Project, options: { trust: boolean }): Promise<DetectedProject>
}

export interface DetectedProject {
  commands: DetectedCommand[]
  /** The agent clients whose program is on PATH. */
  clients: string[]
}

/** The connection between an operation that runs for a long time and the person or program that watches it. */
export interface Live {
  /** Reports something that happened, such as the start of a run. */
  tell(news: object): void
  onInterrupt(heard: () => void): void
  /**
   * At a terminal: draws a picture and keeps it up to date. From then on, the picture also shows what `tell` reports.
   */
  show?(picture: LivePicture): void
}

export interface LivePicture {
  lines(style: Style): readonly string[]
  /** What each key of the keyboard does, except the keys that end the operation. */
  keys: Readonly<Record<string, () => void>>
}

export interface DetectedCommand {
  tool: string
  /** The command, and the scripts that it runs. */
  what: string
}

/** What an operation receives if it needs no open project. */
export interface UnopenedWorld extends World {
  /** Opens the project and its store, for an operation that also works without them. */
  open(): Promise<Context>
}

export interface Project extends World {
  root: string
  /** The folder `<root>/.cleo`. */
  folder: string
  config: ActingConfig
  /** The settings as they are in `.cleo/config.json`, trusted or not. */
  written: Config
}

export interface Context extends Project {
  store: Store
  session?: SessionRow
  /**
   * Runs `work` in one transaction. A refusal rolls back the transaction. With `--dry-run`, the transaction is rolled
   * back after `work` has ended.
   */
  write<R extends Result<unknown>>(work: (write: Write) => Promise<R>): Promise<R>
}

/** What an operation receives if it calls other operations, as a run does. */
export interface CallingContext extends Context {
  /**
   * Calls another operation as the actor `as`. Without `as`, calls it as the actor of this operation. With `sandbox`,
   * commands of the project run in that sandbox.
   */
  call(
    name: string,
    input: object,
    as?: string,
    how?: { sandbox?: World['sandbox'] | undefined },
  ): Promise<Result<unknown>>
}

export interface Write {
  db: Db
  now: number
  actor: Actor
  /** Appends to the audit log. Refuses an actor that has lost its claim on the task. */
  record(change: Change): Promise<void>
  /** Appends changes of tasks that this transaction added. Needs no check of claims, because new tasks have none. */
  recordAdded(changes: readonly Change[]): Promise<void>
  /** Runs the event's hooks after this transaction is committed. */
  emit(event: HookEvent, task?: string, about?: EventSubject): void
}

export interface EventSubject {
  spawn?: string
  run?: string
}

export interface EmittedEvent extends EventSubject {
  event: HookEvent
  task?: string
}

export interface Change {
  task?: string
  before?: object
  after?: object
}

export interface Contexts {
  world: UnopenedWorld
  project: Project
  store: Context
  operations: CallingContext
}
