/**
 * What Bun answers by itself. `node:fs` can do all of it, but Bun compiles that module from source whenever it is
 * loaded, and that takes as long as finding and reading a task: the everyday path gets by without it.
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

/** The text of a file; undefined where it cannot be read, whatever the reason. */
export const textWithBun = ({ file }: Bun, path: string): Promise<string | undefined> =>
  file(path)
    .text()
    .catch(() => undefined)

/** See `Files.stamp`. The file is asked anew each time. */
export const stampWithBun = ({ file }: Bun, path: string): string => {
  const { size, lastModified } = file(path)
  return size > 0 ? `${size} ${lastModified}` : ''
}
