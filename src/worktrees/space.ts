import { freeSpace } from '../host/machine.ts'
import { worktreeDefaults } from '../kernel/config-words.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'

export const spaceProblem = (
  { config }: Pick<Project, 'config'>,
  folder: string,
): Failure<'worktree.space'> | undefined => {
  const needed = config.worktrees?.minFree ?? worktreeDefaults.minFree
  const free = freeSpace(folder)
  return free < needed
    ? fail('worktree.space', { folder, free: formatBytes(free), needed: formatBytes(needed) })
    : undefined
}

/** Formats a size for people, such as `12 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  const units = ['kB', 'MB', 'GB', 'TB']
  let size = bytes / 1000
  let unit = 0
  for (; size >= 1000 && unit < units.length - 1; unit++) size /= 1000
  return `${size < 100 ? Math.round(size * 10) / 10 : Math.round(size)} ${units[unit]}`
}
