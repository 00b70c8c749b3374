import type { FindInside } from './find-inside.ts'
import type { StandardInput } from './node-input.ts'
import type { ReadInside } from './safe-read.ts'

/**
 * The interface to everything outside the program: clock, randomness, environment, files and processes. Passed as an
 * argument, so that tests can replace it.
 */
export interface Host {
  now(): number
  /** Returns unguessable lower-case letters and digits. */
  randomId(length: number): string
  /** The current working directory, with links resolved. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly user: string
  readonly home: string
  readonly files: Files
  readonly processes: Processes
  /** The command that starts another process of CLEO; undefined if another program uses CLEO as a library. */
  readonly program?: readonly [string, ...string[]]
  /** Reads at most `maxBytes` from standard input or from another open descriptor; undefined if it is a terminal. */
  readInput(maxBytes: number, descriptor?: number): Promise<StandardInput | undefined>
  /** Like `readInput`, but faster on Bun. For commands that run very often. */
  readEvent(maxBytes: number): Promise<StandardInput | undefined>
}

export interface Files {
  /** Returns undefined if the file does not exist. */
  read(path: string): string | undefined
  /** Like `read`, but faster on Bun. Use it only for files that are always replaced as a whole: see `bun.ts`. */
  load(path: string): Promise<string | undefined>
  /**
   * Returns the text of a regular file; undefined for anything else, such as a pipe, and if there is no such file.
   * Opens the file once and never blocks.
   */
  plainText(path: string): string | undefined
  /** Returns `denied` if a folder in the path cannot be read; undefined if the path does not exist. */
  kind(path: string): 'file' | 'folder' | 'denied' | undefined
  size(path: string): number
  /** Returns 0 if the path does not exist or cannot be read. This is the cheapest check of a path. */
  sizeSeen(path: string): number
  /**
   * Returns size and time of last change. Returns an empty string if the file is empty, missing or unreadable. As
   * cheap as `sizeSeen`.
   */
  stamp(path: string): string
  /** Returns the names in a folder, sorted; none if the folder does not exist. */
  list(folder: string): string[]
  makeFolder(path: string, mode: number): void
  /** Writes the file atomically. Returns false if the name is taken. */
  writeNew(path: string, text: string, mode: number): boolean
  /** Writes or replaces a file atomically. */
  replace(path: string, text: string, mode: number): void
  /**
   * Appends to a file in one write; creates the file if needed. Does not sync to disk, so a crash can lose the
   * text.
   */
  append(path: string, text: string, mode: number): void
  /**
   * Writes or replaces a file and makes its folder. Fast on Bun. The write is not atomic and not synced, so a crash
   * can lose the text.
   */
  put(path: string, text: string, mode: number): Promise<void>
  /** Returns at most the first `maxBytes` of a file as text; undefined if it cannot be read. */
  head(path: string, maxBytes: number): Promise<string | undefined>
  /** Returns the path with links resolved; the path itself if it does not exist. */
  realPath(path: string): string
  move(from: string, to: string): void
  /**
   * Reads an untrusted path below `folder`. Refuses secret files, and paths that lead out of the folder. The path
   * `folder` must not contain a link.
   */
  readInside(folder: string, path: string, maxBytes: number): Promise<ReadInside>
  /**
   * Returns the paths below `folder` that match a pattern with `*`, sorted. The path `folder` must not contain a
   * link.
   */
  findInside(folder: string, pattern: string, maxNames: number): Promise<FindInside>
}

export interface Processes {
  run(program: string, args: readonly string[], options: RunOptions): Promise<ProcessResult>
}

export interface RunOptions {
  cwd: string
  env: Record<string, string>
  input: string
  timeoutMs: number
  maxBytes: number
  /**
   * `tail` keeps the end of standard output and standard error together. `output` keeps standard output and stops
   * the program after `maxBytes`.
   */
  keep?: 'tail' | 'output'
  /** With `output`: also returns the end of standard error. */
  keepErrors?: true
  /** Called with the output while the program runs. Only with `tail`. */
  heard?(text: string): void
  /** When aborted, ends the program and everything it started. */
  signal?: AbortSignal
  /**
   * Set if CLEO runs git for its own work. Not set if a hook or a command of the project runs git. The MCP server
   * lets CLEO run git even where no other program is allowed.
   */
  git?: true
  /**
   * Set if the program starts no other programs. CLEO then need not end a process group, and Bun starts the program
   * faster. Only with `output`.
   */
  alone?: true
}

export type ProcessResult =
  | { end: 'exited'; code: number; tail: string; errors?: string }
  | { end: 'timed out'; tail: string }
  | { end: 'cancelled'; tail: string }
  | { end: 'overran'; tail: string }
  | { end: 'not started'; reason: string }
