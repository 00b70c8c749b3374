import type { Host } from '../host/host.ts'
import { isWritable, modeOf } from '../host/permissions.ts'
import { statAt } from '../host/stat.ts'
import { refuse } from '../kernel/result.ts'

/** The settings as they are in the file, not yet checked. A command may be written as one text, such as `npm test`. */
export type RawConfig = Readonly<Record<string, unknown>>

export interface ConfigFile<C> {
  path: string
  /** Permissions of a new file. */
  mode: number
  /** Returns the checked settings. If they are invalid, throws a refusal that lists every problem. */
  check(text: string): C
}

export interface OpenConfigFile<C> {
  raw: RawConfig
  config: C
  /** Replaces the file and returns the checked settings. If they are invalid, refuses and keeps the old file. */
  replace(next: RawConfig): C
}

export const configLock = 'config.lock'

/**
 * Opens a configuration file and runs `work` on it. Meanwhile, a lock keeps other processes from changing the file.
 * Keeps the order of the settings, but not the white space. A dry run takes no lock and writes nothing.
 */
export const changeConfigFile = async <C, T>(
  { host, dryRun }: { host: Host; dryRun: boolean },
  file: ConfigFile<C>,
  work: (open: OpenConfigFile<C>) => T | Promise<T>,
): Promise<T> => {
  const { path, check } = file
  const folder = path.slice(0, path.lastIndexOf('/'))
  const openAndRun = () => {
    refuseUnlessFile(path)
    const text = host.files.read(path)
    const now = text ?? textOf({})
    return work({
      config: check(now),
      raw: JSON.parse(now) as RawConfig,
      replace: (next) => {
        const written = textOf(next)
        const checked = check(written)
        if (!dryRun && written !== text) host.files.replace(path, written, modeOf(path) ?? file.mode)
        return checked
      },
    })
  }
  if (dryRun) return openAndRun()
  host.files.makeFolder(folder, 0o700)
  if (!isWritable(folder)) refuse('file.unwritable', { path, reason: 'its folder is read-only' })
  const lock = `${folder}/${configLock}`
  refuseUnlessFile(lock)
  const { withFileLock } = await import('../store/sqlite/file-lock.ts')
  return await withFileLock(lock, openAndRun)
}

/** Uses two spaces of indentation. For empty settings, the text is exactly the three bytes that `cleo init` writes. */
const textOf = (config: RawConfig): string => `${JSON.stringify(config, null, 2)}\n`

/**
 * Refuses a link, because writing the file would replace the link itself. Also refuses a folder, which cannot be
 * replaced.
 */
const refuseUnlessFile = (path: string): void => {
  const kind = statAt(path)?.kind
  if (kind === undefined || kind === 'file') return
  const reason =
    kind === 'link' ? 'it is a link' : kind === 'folder' ? 'it is a folder' : 'it is not a regular file'
  refuse('file.unwritable', { path, reason })
}
