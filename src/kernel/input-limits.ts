/** Limits on the input of one call, besides the limits of the fields in `task.ts`. */
export const inputLimits = {
  batchRows: 100_000,
  /** Dependencies, labels, files and criteria of all rows together. */
  batchItems: 200_000,
  batchBytes: 32 * 1024 * 1024,
  importBytes: 256 * 1024 * 1024,
  /** Tasks that an import adds to a project that already has tasks. */
  importedTasks: 100_000,
  /** Levels of arrays and objects inside each other. */
  jsonDepth: 100,
  /** The JSON text of a manifest entry; the entry itself has a smaller limit. */
  entryText: 256 * 1024,
  /** The reply of a subagent. */
  message: 1024 * 1024,
  /** Any other value that is read from standard input. */
  value: 4096,
} as const

/** Problems shown in one answer; the others are only counted. */
export const mostProblems = 50
