import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { linkedWorktree } from '../git/repository.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { confined, whyNoManifest, whyNoOutput, whyOutside } from '../project/confined-path.ts'
import { defaults } from '../prompt/tokens/names.ts'
import { defaultOutput, manifestPath } from './manifest-path.ts'

/** Paths are absolute unless a field says otherwise. */
export interface WorkFolders {
  /** The folder in which the agent works: a worktree, or the project. */
  work: string
  /** The path of `work` as entries store it; empty for the project. */
  storedWork: string
  output: string
  manifest: string
  /** The manifest's path as stored: relative if the work folder is the project, else absolute. */
  manifestKey: string
  outputRoots: string[]
}

type Settings = Pick<Project, 'host' | 'root' | 'config'>

const known = new WeakMap<Settings, Map<string, WorkFolders>>()

/**
 * Refuses forbidden folders before anything is read or written there. The result is cached, because the check reads the
 * disk.
 */
export const workFoldersIn = (project: Settings, work: string, options?: SpawnOptions): WorkFolders => {
  const own = known.get(project) ?? new Map<string, WorkFolders>()
  known.set(project, own)
  const key = JSON.stringify([work, options?.output])
  const folders = own.get(key) ?? confinedFolders(project, work, options)
  own.set(key, folders)
  return folders
}

const confinedFolders = (
  { host, root, config }: Settings,
  work: string,
  options?: SpawnOptions,
): WorkFolders => {
  const usual = config.output?.dir ?? defaultOutput
  const dir = confined('output.dir', work, usual)
  const manifest = confined('manifest.path', work, manifestPath({ config }), whyNoManifest)
  const output = options?.output === undefined ? dir : confined('--output', work, options.output, whyNoOutput)
  const roots = (config.output?.roots ?? []).map((path) => confined('output.roots', work, path))
  const specs = host.env['SPECS_DIR'] ?? defaults['SPECS_DIR']!
  // If the specification folder is outside the work folder, ignore it. Do not refuse it, because in some projects it is
  // a link to another place.
  const further = whyOutside(work, specs) ? [] : [resolvePath(work, specs)]
  return {
    work,
    storedWork: work === root ? '' : work,
    output,
    manifest,
    manifestKey: work === root ? manifest.slice(root.length + 1) : manifest,
    outputRoots: [output, dir, ...further, ...roots],
  }
}

/**
 * Returns the folder in which a spawn works: the worktree in the spawn's options, or else the caller's worktree, or
 * else the project.
 */
export const workFolder = async (project: Project, options?: SpawnOptions): Promise<string> => {
  const { host, root } = project
  if (options?.worktree !== undefined) {
    const given = host.files.realPath(resolvePath(root, options.worktree))
    if (await isProjectInWorktree(project, given)) return given
  }
  const around = await linkedWorktree(host, host.cwd)
  return around && isOf(around, root) ? projectIn(around, root) : root
}

export const isProjectInWorktree = async ({ host, root }: Project, folder: string): Promise<boolean> => {
  const own = await linkedWorktree(host, folder)
  return own !== undefined && isOf(own, root) && projectIn(own, root) === folder
}

const isOf = ({ main }: { main: string }, root: string): boolean => main === root || isBelow(main, root)

/** The project has the same relative path in every worktree. */
const projectIn = ({ top, main }: { top: string; main: string }, root: string): string =>
  top + root.slice(main.length)
