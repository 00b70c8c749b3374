import type { Host } from '../host/host.ts'
import type { Actor } from '../kernel/actor.ts'
import type { ActingConfig, Config } from '../kernel/config.ts'
import type { HookEvent } from '../kernel/config-words.ts'
import type { ProgressListener } from '../kernel/progress.ts'
import type { Result } from '../kernel/result.ts'
import type { Db, Store } from '../store/port.ts'
import type { SessionRow } from '../store/rows.ts'

/** What every operation receives. */
export interface World {
  host: Host
  actor: Actor
  dryRun: boolean
  /** The project folder that the caller named, if any. */
  named?: string
  /** Receives the progress of long work, if the caller wants it. */
  progress?: ProgressListener
  /** Runs the project's hooks after a commit. Returns a warning for each hook that failed. */
  runHooks(
    context: Omit<Context, 'write'>,
    operation: string,
    emitted: readonly EmittedEvent[],
  ): Promise<string[]>
  /** Records a person's trust in a project that this person makes. Returns the commands that were detected there. */
  trustNewProject(project: Project): Promise<DetectedCommand[]>
}

export interface DetectedCommand {
  tool: string
  /** The command, and the scripts that it runs. */
  what: string
}

/** What an operation receives that needs no open project. */
export interface UnopenedWorld extends World {
  /** Opens the project and its store, for an operation that also works without them. */
  open(): Promise<Context>
}

export interface Project extends World {
  root: string
  /** `<root>/.cleo` */
  folder: string
  /** The settings in effect. */
  config: ActingConfig
  /** The settings as they are in `.cleo/config.json`, trusted or not. */
  written: Config
}

export interface Context extends Project {
  store: Store
  /** The session that the caller gave, if any. */
  session?: SessionRow
  /** Runs one transaction. A refusal rolls it back; `--dry-run` always rolls it back at the end. */
  write<R extends Result<unknown>>(work: (write: Write) => Promise<R>): Promise<R>
}

export interface Write {
  db: Db
  now: number
  actor: Actor
  /** Appends to the audit log. Refuses an actor that has lost its claim on the task, whatever the operation. */
  record(change: Change): Promise<void>
  /** Appends changes of tasks that this transaction added. A new task has no claim that could be lost. */
  recordAdded(changes: readonly Change[]): Promise<void>
  /** Runs the event's hooks after the commit. */
  emit(event: HookEvent, task?: string, spawn?: string): void
}

export interface EmittedEvent {
  event: HookEvent
  task?: string
  spawn?: string
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
}
