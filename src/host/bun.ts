import type { StandardInput } from './node-input.ts'

/**
 * The parts of Bun's own API that we use instead of Node's modules. Bun compiles `node:fs` from source in every
 * process that loads it. Compiling takes as much time as finding and reading a task, so everyday commands avoid
 * `node:fs`.
 */
export interface Bun {
  file(path: string): {
    readonly size: number
    readonly lastModified: number
    text(): Promise<string>
    stream(): AsyncIterable<Uint8Array>
  }
  write(path: string, text: string, options: { mode: number; createPath: true }): Promise<number>
  /**
   * Maps a file into memory. With `shared`, changing the bytes also changes the file, and other processes see the
   * change.
   */
  mmap(path: string, options?: { shared: true }): Uint8Array<ArrayBuffer>
  readonly stdin: { stream(): AsyncIterable<Uint8Array> }
  readonly stdout: { writer(): Sink }
  readonly stderr: { writer(): Sink }
  spawn(command: string[], options: SpawnOptions & { stdin: 'pipe' }): Spawned & { readonly stdin: Input }
  spawn(command: string[], options: SpawnOptions): Spawned
  /** Listens on a port. If this fails, throws an error with the code that `node:net` would report. */
  listen(options: { hostname: string; port: number; exclusive: true; socket: { data(): void } }): {
    /** `stop(true)` also closes the connections of the port. */
    stop(closeAll: true): void
  }
  readonly CryptoHasher: new (kind: 'sha1' | 'sha256', key?: string) => Hasher
}

export interface Hasher {
  update(part: string | Uint8Array): unknown
  digest(form: 'hex'): string
}

interface SpawnOptions {
  cwd: string
  env: Record<string, string>
  stdin: Uint8Array | 'ignore' | 'pipe'
  stdout: 'pipe'
  stderr: 'pipe' | 'ignore'
  /** True to start the program in its own session and process group. */
  detached: boolean
  timeout?: number
  /** The signal that ends the program after `timeout`, or as soon as it has printed more than `maxBuffer` bytes. */
  killSignal?: 'SIGKILL' | 'SIGTERM'
  maxBuffer?: number
}

interface Spawned {
  readonly pid: number
  readonly stdout: Output
  /** Undefined if the option `stderr` is `ignore`. */
  readonly stderr: Output | undefined
  readonly exited: Promise<number>
  /** Null while the program runs, and if a signal ended it. */
  readonly exitCode: number | null
  readonly signalCode: string | null
}

export interface Output extends AsyncIterable<Uint8Array> {
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  getReader(): { read(): Promise<{ value?: Uint8Array<ArrayBuffer> }>; cancel(): Promise<void> }
}

/** The input of a program. Errors of the pipe are thrown, or reject the returned promise. */
interface Input {
  write(text: string | Uint8Array): number | Promise<number>
  flush(): number | Promise<number> | undefined
  end(): number | Promise<number> | undefined
}

interface Sink {
  write(text: string): number | Promise<number>
  flush(): number | Promise<number>
}

/** Bun's own API; undefined on Node. */
export const bun = (globalThis as { Bun?: Bun }).Bun

/** Returns undefined in three cases: the file is empty, it cannot be read, or reading would block, as with a pipe. */
export const textWithBun = (bun: Bun, path: string): Promise<string | undefined> | string | undefined => {
  const { size } = bun.file(path)
  if (size === Number.POSITIVE_INFINITY) return undefined
  if (size < smallFile) return mappedText(bun, path)
  // Make a new handle, because the handle above remembers the size of the file. If the file was replaced by a
  // longer one, the handle above would return too few bytes.
  return bun
    .file(path)
    .text()
    .catch(() => undefined)
}

/**
 * `textWithBun` maps files below this size into memory. Mapping starts no threads, but `file.text()` and streams do.
 */
const smallFile = 65_536

/**
 * Reads a file by mapping it into memory. If another process shortens the file meanwhile, the system ends this
 * process. So call this only for files that are always replaced as a whole, such as the files of git and CLEO.
 */
const mappedText = ({ mmap }: Bun, path: string): string | undefined => {
  try {
    return new TextDecoder().decode(mmap(path))
  } catch {
    // The file is empty or cannot be read. `Files.load` then reads it with Node to find out which of the two is
    // true.
    return undefined
  }
}

/**
 * Implements `Files.head` on Bun. Reads a stream, because that starts fewer threads than `file.text()` and is much
 * faster for a small file.
 */
export const headWithBun = async (
  { file }: Bun,
  path: string,
  maxBytes: number,
): Promise<string | undefined> => {
  if (file(path).size === Number.POSITIVE_INFINITY) return undefined
  try {
    return await textOfStream(file(path).stream(), maxBytes)
  } catch {
    return undefined
  }
}

const textOfStream = async (stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ''
  let total = 0
  for await (const bytes of stream) {
    total += bytes.length
    const kept = total > maxBytes ? bytes.subarray(0, bytes.length - (total - maxBytes)) : bytes
    text += decoder.decode(kept, { stream: true })
    if (total >= maxBytes) break
  }
  return text + decoder.decode()
}

export const stampWithBun = ({ file }: Bun, path: string): string => {
  const { size, lastModified } = file(path)
  return size > 0 ? `${size} ${lastModified}` : ''
}

/** Like `readStandardInput`, but without `node:fs`. */
export const inputWithBun = async ({ stdin }: Bun, maxBytes: number): Promise<StandardInput> => {
  const text = await textOfStream(stdin.stream(), maxBytes + 1)
  return byteLengthOver(text, maxBytes) ? { over: true } : { text }
}

/** Counts the bytes only if the number of characters does not already give the answer. */
const byteLengthOver = (text: string, most: number): boolean =>
  text.length > most || (text.length * 3 > most && Buffer.byteLength(text) > most)
