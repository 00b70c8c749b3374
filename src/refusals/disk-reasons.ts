/** Reasons why the system could not write, each worded as the end of a sentence. */
export const diskReasons = {
  full: 'the disk is full',
  quota: 'the disk quota is used up',
  readonly: 'the file system is read-only',
  denied: 'permission denied',
} as const
export type DiskReason = keyof typeof diskReasons

// This is a function, so that the table is made only when a command meets one of these errors.
const advice = (): Record<DiskReason, string> => ({
  full: 'Free some disk space, then run the same command again; df -h shows which disk is full.',
  quota: 'Delete some of your files or ask for a larger quota, then run the same command again.',
  readonly: 'Mount the file system writable, then run the same command again.',
  denied: 'Check the owner and the permissions of the file and of its folder.',
})

export const diskAdvice = (reason: DiskReason): string[] => [advice()[reason]]

/** Returns the advice for a text that is in `diskReasons`; none for any other text. */
export const adviceFor = (words: string): string[] => {
  for (const reason of Object.keys(diskReasons) as DiskReason[])
    if (diskReasons[reason] === words) return diskAdvice(reason)
  return []
}
