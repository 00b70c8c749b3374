import type { FindInside } from './find-inside.ts'
import type { ReadInside } from './safe-read.ts'

/** Clock, randomness, environment, files and processes, as an argument that tests can replace. */
export interface Host {
  now(): number
  /** Lower-case letters and digits, unguessable. */
  randomId(length: number): string
  /** With links resolved. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly user: string
  readonly home: string
  readonly files: Files
  readonly processes: Processes
  /** All of standard input; undefined if that is a terminal. */
  readInput(): string | undefined
}

export interface Files {
  /** The text of a file; undefined if there is none. */
  read(path: string): string | undefined
  /** The same, in the fastest way. */
  load(path: string): Promise<string | undefined>
  /** `denied` if a folder in the path cannot be read. */
  kind(path: string): 'file' | 'folder' | 'denied' | undefined
  size(path: string): number
  /** The size; 0 if nothing is there or it cannot be read. The cheapest call. */
  sizeSeen(path: string): number
  /** Size and time of the last change; empty if nothing is there or it cannot be read. Equally cheap. */
  stamp(path: string): string
  /** Names in a folder, sorted; empty if there is no folder. */
  list(folder: string): string[]
  makeFolder(path: string, mode: number): void
  /** Writes a new file atomically; returns false if the name is taken. */
  writeNew(path: string, text: string, mode: number): boolean
  /** Writes or replaces a file atomically. */
  replace(path: string, text: string, mode: number): void
  /** Appends to a file in one write and creates it if needed. Not synced to disk: only for text that may be lost. */
  append(path: string, text: string, mode: number): void
  /** The path with links resolved; the path itself if it does not exist. */
  realPath(path: string): string
  move(from: string, to: string): void
  /** Reads an untrusted path below a folder, never outside it and never a secret. The folder's path has no links. */
  readInside(folder: string, path: string, maxBytes: number): Promise<ReadInside>
  /** The paths below such a folder that match a pattern with `*`, in order. */
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
  /** `output`: all of standard output, nothing else; a program that writes more than `maxBytes` is stopped. */
  keep?: 'tail' | 'output'
  /** The program starts no others, so it needs no process group to be ended, which is faster. Only with `output`. */
  alone?: true
}

export type ProcessResult =
  | { end: 'exited'; code: number; tail: string }
  | { end: 'timed out'; tail: string }
  | { end: 'overran'; tail: string }
  | { end: 'not started'; reason: string }
