/** Limits on the input of one call. The limits of single fields are in `task.ts`. */
export const inputLimits = {
  batchRows: 100_000,
  /** Dependencies, labels, files and criteria of all rows in a batch, counted together. */
  batchItems: 500_000,
  batchBytes: 32 * 1024 * 1024,
  importBytes: 256 * 1024 * 1024,
  /** Tasks that one import may add to a project that already has tasks. */
  importedTasks: 100_000,
  /** How deep arrays and objects may be nested. */
  jsonDepth: 100,
  /** Bytes of JSON text for a manifest entry; the parsed entry has a smaller limit. */
  entryText: 256 * 1024,
  /** Bytes of a subagent's reply. */
  message: 1024 * 1024,
  /** Bytes of any other value that is read from standard input. */
  value: 4096,
} as const

/** Problems shown in one answer; further problems are only counted. */
export const mostProblems = 50
