import type { FindInside } from './find-inside.ts'
import type { StandardInput } from './node-input.ts'
import type { ReadInside } from './safe-read.ts'

/** Clock, randomness, environment, files and processes, as an argument that tests can replace. */
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
  /** Reads standard input, at most `maxBytes` of it; undefined if standard input is a terminal. */
  readInput(maxBytes: number): Promise<StandardInput | undefined>
  /** Returns the same as `readInput`, but faster on Bun: for commands that run all the time. */
  readEvent(maxBytes: number): Promise<StandardInput | undefined>
}

export interface Files {
  /** Returns the text of a file; undefined if the file does not exist. */
  read(path: string): string | undefined
  /** Returns the same as `read`, but faster on Bun: see `bun.ts`. */
  load(path: string): Promise<string | undefined>
  /** Returns `denied` if a folder in the path cannot be read; undefined if there is no file or folder. */
  kind(path: string): 'file' | 'folder' | 'denied' | undefined
  size(path: string): number
  /** Returns the size; 0 if the path does not exist or cannot be read. This is the cheapest check of a path. */
  sizeSeen(path: string): number
  /** Returns size and time of last change; empty for an empty, missing or unreadable file. As cheap as `sizeSeen`. */
  stamp(path: string): string
  /** Returns the names in a folder, sorted; none if the folder does not exist. */
  list(folder: string): string[]
  makeFolder(path: string, mode: number): void
  /** Writes a new file atomically; returns false if the name is taken. */
  writeNew(path: string, text: string, mode: number): boolean
  /** Writes or replaces a file atomically. */
  replace(path: string, text: string, mode: number): void
  /** Appends to a file in one write; creates it if needed. Does not sync to disk: only for text that may be lost. */
  append(path: string, text: string, mode: number): void
  /**
   * Writes or replaces a file and makes its folder. Neither atomic nor synced, but fast on Bun: only for text that may be
   * lost.
   */
  put(path: string, text: string, mode: number): Promise<void>
  /** Returns at most the first bytes of a file as text; undefined if it cannot be read. */
  head(path: string, maxBytes: number): Promise<string | undefined>
  /** Returns the path with links resolved; the path itself if it does not exist. */
  realPath(path: string): string
  move(from: string, to: string): void
  /** Reads an untrusted path below `folder`. Refuses secrets and paths outside. `folder` must not contain links. */
  readInside(folder: string, path: string, maxBytes: number): Promise<ReadInside>
  /** Returns the paths below `folder` that match a pattern with `*`, sorted. `folder` must not contain links. */
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
  /** `tail` keeps the end of all output. `output` keeps standard output and stops the program after `maxBytes`. */
  keep?: 'tail' | 'output'
  /** With `output`: also return the end of standard error. */
  keepErrors?: true
  /** Receives the output while the program runs. Only with `tail`. */
  heard?(text: string): void
  /** Set where CLEO runs git for itself, with its own options. Over MCP nothing else is started. */
  git?: true
  /** Set if the program starts no others. It then runs without a process group, which is faster. Only with `output`. */
  alone?: true
}

export type ProcessResult =
  | { end: 'exited'; code: number; tail: string; errors?: string }
  | { end: 'timed out'; tail: string }
  | { end: 'overran'; tail: string }
  | { end: 'not started'; reason: string }
