import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Host } from './host.ts'

/** The file that a program's name stands for in a folder, by the caller's PATH; undefined where PATH does not say. */
export const which = ({ env, files }: Host, program: string, cwd: string): string | undefined => {
  if (program.includes('/')) return resolvePath(cwd, program)
  for (const folder of env['PATH']?.split(':') ?? []) {
    const path = `${resolvePath(cwd, folder || '.')}/${program}`
    if (files.kind(path) === 'file') return path
  }
  return undefined
}

/** A program that comes with the work it is to judge: whoever wrote the one can have written the other. */
export const isOwn = ({ files }: Host, path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => isBelow(folder, path) || isBelow(folder, files.realPath(path)))
