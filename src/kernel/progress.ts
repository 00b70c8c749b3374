/** The progress of an operation while it runs. A caller can show it. It is not part of the result. */
export interface Progress {
  /** The current step, such as `npm test`. */
  what: string
  elapsedMs: number
  /** The last line that a program printed. */
  line?: string
  /** The number of finished parts out of `total`. */
  count?: number
  total?: number
}

/** Operations should await the listener, because it may first have to load the code that shows the progress. */
export type ProgressListener = (progress: Progress) => Promise<void> | void
