import type { Tool } from '../kernel/config-words.ts'
import type { DecidingFiles } from './deciding-files.ts'

/** A command as it was when a task was spawned. */
export interface Pin {
  words: string[]
  what: string
  sha256: string
  files?: DecidingFiles
  /** The hash that a person had trusted when the command was pinned. */
  trusted?: string
  at?: number
  configured?: true
}
export type Pins = Partial<Record<Tool, Pin>>

/** The current state of a command, to compare with its pin. */
interface PinnedCommand {
  words: readonly string[]
  what: string
  sha256: string
  files: DecidingFiles
}

/**
 * Returns how a command differs from its pin, as part of a sentence; undefined if the command still does the same.
 */
export const changeSince = (pin: Pin, now: PinnedCommand): string | undefined => {
  if (pin.sha256 === now.sha256) return undefined
  if (sameLines(pin.what) !== sameLines(now.what)) return `it was "${pin.what}" and is now "${now.what}"`
  const before = pin.files ?? {}
  const changed = Object.keys(before).filter((path) => before[path] !== (now.files[path] ?? ''))
  if (changed.length === 0) return undefined
  const added = Object.keys(now.files).filter(
    (path) => now.files[path] !== '' && !Object.hasOwn(before, path),
  )
  return `"${now.what}" depends on ${listed([...changed, ...added].map((path) => named(path, now.files[path])))}, which changed`
}

/** Writes `python3` as `python`, because both are the same program, and PATH decides which of the two names exists. */
export const sameWords = (text: string): string => text.replaceAll(/\bpython3(?=\s|$)/g, 'python')

/** Returns the path to show in a message. For a pattern, adds the file names, which are pinned instead of a hash. */
const named = (path: string, value = ''): string =>
  value === '' || /^[0-9a-f]{32,64}$/.test(value) ? path : `${path} (${value})`

/** Sorts the scripts that a command runs, because their order makes no difference. */
const sameLines = (what: string): string => sameWords(what).split(' → ').sort().join('\n')

const mostNamed = 5

const listed = (paths: readonly string[]): string =>
  paths.length > mostNamed
    ? `${paths.slice(0, mostNamed).join(', ')} and ${paths.length - mostNamed} more`
    : paths.join(', ')
