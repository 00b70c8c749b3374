import { freeSpace } from '../host/machine.ts'
import { worktreeDefaults } from '../kernel/config-words.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'

/** Returns a refusal if the disk that a worktree would be on has less free space than `worktrees.minFree`. */
export const spaceProblem = (
  { config }: Pick<Project, 'config'>,
  folder: string,
): Failure<'worktree.space'> | undefined => {
  const needed = config.worktrees?.minFree ?? worktreeDefaults.minFree
  const free = freeSpace(folder)
  return free < needed
    ? fail('worktree.space', { folder, free: sizeText(free), needed: sizeText(needed) })
    : undefined
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB']

const sizeText = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${Number((bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1))} ${units[power]}`
}
