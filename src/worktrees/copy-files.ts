import { gitRunnerAt } from '../git/run-git.ts'
import { copyTree } from '../host/copy-tree.ts'
import type { Host } from '../host/host.ts'
import { statAt } from '../host/stat.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'
import { whyOutside } from '../project/confined-path.ts'

/**
 * Refuses a path of `worktrees.copy` that leads out of the project, or into `.git` or `.cleo`. The path must be valid
 * both in the main checkout and in the worktree.
 */
export const copyProblem = (
  root: string,
  work: string,
  paths: readonly string[],
): Failure<'path.outside'> | undefined => {
  for (const path of paths) {
    const why = whyOutside(root, path) ?? whyOutside(work, relative(root, path))
    if (why) return fail('path.outside', { setting: 'worktrees.copy', path, why })
  }
  return undefined
}

const relative = (root: string, path: string): string => resolvePath(root, path).slice(root.length + 1)

/**
 * Returns the files and folders of the main checkout that git ignores and that match the patterns. Git itself does
 * the matching.
 */
export const matchingFiles = async (
  host: Host,
  root: string,
  patterns: readonly string[],
): Promise<string[]> => {
  const git = gitRunnerAt(host, root)
  const list = async (excludes: readonly string[]) =>
    ((await git?.run(['ls-files', '-z', '--others', '--ignored', '--directory', ...excludes])) ?? '')
      .split('\0')
      .filter((path) => path !== '')
  const matched = await list(patterns.flatMap((pattern) => ['--exclude', pattern]))
  const ignored = matched.length > 0 ? new Set(await list(['--exclude-standard'])) : new Set<string>()
  return matched.filter((path) => isInSet(ignored, path)).map((path) => path.replace(/\/+$/, ''))
}

/** Whether a path, or a folder above it, is in the set. Folders in the set end with a slash. */
const isInSet = (paths: ReadonlySet<string>, path: string): boolean => {
  if (paths.has(path)) return true
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1))
    if (paths.has(path.slice(0, end + 1))) return true
  return false
}

/** Returns warnings. */
export const copyFiles = async (
  project: Pick<Project, 'host' | 'progress' | 'root'>,
  work: string,
  paths: readonly string[],
): Promise<string[]> => {
  const { host, root } = project
  const warnings: string[] = []
  for (const given of paths) {
    const why = whyOutside(root, given) ?? whyOutside(work, relative(root, given))
    if (why) {
      warnings.push(`${given} was not copied into the worktree: it ${why}`)
      continue
    }
    const path = relative(root, given)
    const report = reporting(project, `copy ${path}`)
    const copied = await copyTree({
      from: root,
      to: work,
      path,
      heard: (count) => report?.({ count }),
    })
    if (!copied) warnings.push(`${path} was not copied into the worktree: it does not exist`)
    else if (copied.left.length > 0)
      warnings.push(
        `files of ${path} that were not copied into the worktree: ${copied.left.length}, such as ${copied.left[0]}. They are special files, or links to folders outside the project`,
      )
    if (copied && statAt(`${root}/${path}/pyvenv.cfg`)?.kind === 'file')
      warnings.push(
        `${path} contains absolute paths, so its scripts may run the code of ${host.files.realPath(root)}; to build it in each worktree, add a command to worktrees.setup`,
      )
  }
  return warnings
}
