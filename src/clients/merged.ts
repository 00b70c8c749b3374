import type { JsonValue } from './part.ts'

/** One entry that CLEO wrote into a file, as recorded for `--undo`. */
export type Written =
  | { kind: 'file' }
  /** `ended` is set if the last line of the file had no line end and set-up added one. */
  | { kind: 'block'; ended?: true }
  /** `found` is how many of the keys in `at` existed before the set-up. Undo never removes these keys. */
  | { kind: 'json'; at: readonly string[]; value: JsonValue; item?: true; found: number }
  | { kind: 'toml'; ended?: true }
  /** `found` is set if the array existed before the set-up. In that case undo keeps the array even if it is empty. */
  | { kind: 'items'; table: string; key: string; items: readonly string[]; found?: true }

export interface Merged {
  text: string
  written: Written[]
  /**
   * One text for each entry of the user that CLEO kept because it serves the same purpose as an entry of CLEO. The
   * text is the beginning of a sentence.
   */
  kept: string[]
}

export type MergeResult = ({ ok: true } & Merged) | { ok: false; why: string }

/** Replaces the project id in the path of a worktrees folder by `*`, because every clone has its own id. */
export const inAnyClone = <T>(value: T): T =>
  typeof value === 'string' ? (value.replace(/\/[0-9a-z]{12}\/worktrees$/, '/*/worktrees') as T) : value

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
