import type { JsonValue } from './part.ts'

/** One thing that CLEO wrote into a file, as it is recorded for `--undo`. */
export type Written =
  | { kind: 'file' }
  /** `ended` if set-up had to end the last line of the file first. */
  | { kind: 'block'; ended?: true }
  /** `found` is how many keys of the path were there before, so that undo removes only what set-up made. */
  | { kind: 'json'; at: readonly string[]; value: JsonValue; item?: true; found: number }
  | { kind: 'toml'; ended?: true }
  | { kind: 'items'; table: string; key: string; items: readonly string[] }

/** A file after CLEO's part was merged into it. */
export interface Merged {
  text: string
  written: Written[]
  /** Entries of the user that do the same and were kept, each as the beginning of a sentence. */
  kept: string[]
}

export type MergeResult = ({ ok: true } & Merged) | { ok: false; why: string }

export const isSame = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => key in b && isSame(a[key as keyof typeof a], b[key as keyof typeof b]))
  )
}
