import type { FindInside } from './find-inside.ts'
import type { ReadInside } from './safe-read.ts'

/** The world outside, as arguments: what a test wants to control it hands in. */
export interface Host {
  now(): number
  /** Lower-case letters and digits, unguessable. */
  randomId(length: number): string
  /** Free of links, as the system names it. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly user: string
  readonly home: string
  readonly files: Files
  readonly processes: Processes
  /** Everything on standard input, or nothing where there is a terminal. */
  readInput(): string | undefined
}

export interface Files {
  /** The text of a file; undefined where there is none. */
  read(path: string): string | undefined
  /** The same, in whatever way is quickest. */
  load(path: string): Promise<string | undefined>
  /** `denied` where a folder on the way may not be looked into. */
  kind(path: string): 'file' | 'folder' | 'denied' | undefined
  size(path: string): number
  /** The size as far as it can be seen: 0 also where there is nothing, or nobody may look. The cheapest question. */
  sizeSeen(path: string): number
  /** Size and time of the last change, as far as they can be seen; empty where there is nothing. As cheap. */
  stamp(path: string): string
  /** Names in a folder, sorted; none where there is no folder. */
  list(folder: string): string[]
  makeFolder(path: string, mode: number): void
  /** Writes a new file, whole or not at all; answers false where the name is taken. */
  writeNew(path: string, text: string, mode: number): boolean
  /** Puts a file in the place of the old one, whole or not at all. */
  replace(path: string, text: string, mode: number): void
  /** Adds to the end of a file in one write, making it where there is none. For what may get lost: nobody waits for the disk. */
  jot(path: string, text: string, mode: number): void
  /** The path without links in it; the path itself where it names nothing. */
  realPath(path: string): string
  move(from: string, to: string): void
  /** The text of a file that may be anybody's: it stays below a folder, which is free of links, and is no secret. */
  readInside(folder: string, path: string, maxBytes: number): Promise<ReadInside>
  /** The paths below such a folder that fit a pattern with `*` in it, in order. */
  findInside(folder: string, pattern: string, maxNames: number): Promise<FindInside>
}

export interface Processes {
  run(program: string, args: readonly string[], options: RunOptions): Promise<Ran>
}

export interface RunOptions {
  cwd: string
  env: Record<string, string>
  input: string
  timeoutMs: number
  maxBytes: number
  /** `output`: standard output alone, all of it; a program that writes more than `maxBytes` is stopped. */
  keep?: 'tail' | 'output'
  /** It starts no programs of its own, so ending it needs no group: then there is a quicker way. Goes with `output`. */
  alone?: true
}

export type Ran =
  | { end: 'exited'; code: number; tail: string }
  | { end: 'timed out'; tail: string }
  | { end: 'overran'; tail: string }
  | { end: 'not started'; reason: string }
