const kib = 1024

/** How much a text may bring in: a prompt has no use for more, and whoever writes a template cannot make us choke. */
export const limits = {
  fileBytes: 256 * kib,
  /** Files of one glob, and of a source in all. */
  files: 200,
  globBytes: 1024 * kib,
  /** What may come into one source, whatever it is. */
  allBytes: 4096 * kib,
  /** Templates in templates. */
  depth: 5,
  commands: 16,
  commandBytes: 16 * kib,
  commandSeconds: 5,
  /** Names looked at to find the files of one glob. */
  entries: 10_000,
} as const
