/** The progress of long work. The caller of the operation may show it; the result never contains it. */
export interface Progress {
  /** What is being done, such as `npm test`. */
  what: string
  elapsedMs: number
  /** The last line that a program printed. */
  line?: string
  /** How many of `total` are done. */
  count?: number
  total?: number
}

/** Code without timers or file access should await the result, so that a listener has time to load what it needs. */
export type ProgressListener = (progress: Progress) => Promise<void> | void
