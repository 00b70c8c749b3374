/**
 * What Bun can do without `node:fs`. Bun compiles that module from source each time it is loaded, which takes as long
 * as finding and reading a task, so everyday commands avoid it.
 */
export interface Bun {
  file(path: string): { readonly size: number; readonly lastModified: number; text(): Promise<string> }
  readonly stdout: { writer(): Sink }
  spawn(command: string[], options: SpawnOptions): Spawned
  readonly CryptoHasher: new (kind: 'sha1' | 'sha256', key?: string) => Hasher
}

export interface Hasher {
  update(part: string | Uint8Array): unknown
  digest(form: 'hex'): string
}

interface SpawnOptions {
  cwd: string
  env: Record<string, string>
  stdin: Uint8Array | 'ignore'
  stdout: 'pipe'
  stderr: 'ignore'
  timeout: number
  killSignal: 'SIGKILL'
}

interface Spawned {
  readonly stdout: AsyncIterable<Uint8Array>
  readonly exited: Promise<number>
  readonly signalCode: string | null
  kill(signal: 'SIGKILL'): void
}

interface Sink {
  write(text: string): number | Promise<number>
  flush(): number | Promise<number>
}

/** Undefined on Node. */
export const bun = (globalThis as { Bun?: Bun }).Bun

/** The text of a file; undefined if it cannot be read for any reason. */
export const textWithBun = ({ file }: Bun, path: string): Promise<string | undefined> =>
  file(path)
    .text()
    .catch(() => undefined)

/** See `Files.stamp`. */
export const stampWithBun = ({ file }: Bun, path: string): string => {
  const { size, lastModified } = file(path)
  return size > 0 ? `${size} ${lastModified}` : ''
}
