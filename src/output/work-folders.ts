import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { linkedWorktree } from '../host/repository.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import type { Project } from '../operation/context.ts'
import { defaults } from '../prompt/tokens/names.ts'

/** A work folder with its output folder and manifest. Paths are absolute unless a field says otherwise. */
export interface WorkFolders {
  /** The folder in which the work is done: a worktree, or the project. */
  work: string
  /** `work` as entries store the folder: empty for the project. */
  storedWork: string
  output: string
  manifest: string
  /** The manifest's path as stored: relative if the work folder is the project, else absolute. */
  manifestKey: string
  /** Folders that may contain output files. */
  outputRoots: string[]
}

export const workFoldersIn = (
  { host, root, config }: Project,
  work: string,
  options?: SpawnOptions,
): WorkFolders => {
  const usual = config.output?.dir ?? 'claudedocs/agent-outputs'
  const manifest = resolvePath(work, config.manifest?.path ?? `${usual}/MANIFEST.jsonl`)
  const output = resolvePath(work, options?.output ?? usual)
  const specs = host.env['SPECS_DIR'] ?? defaults['SPECS_DIR']!
  const further = [usual, specs, ...(config.output?.roots ?? [])].map((path) => resolvePath(work, path))
  return {
    work,
    storedWork: work === root ? '' : work,
    output,
    manifest,
    manifestKey: work === root ? manifest.slice(root.length + 1) : manifest,
    outputRoots: [output, ...further].filter((path) => isBelow(work, path)),
  }
}

/** Returns the folder a spawn works in: the worktree in its options, else the caller's worktree, else the project. */
export const workFolder = async (project: Project, options?: SpawnOptions): Promise<string> => {
  const { host, root } = project
  if (options?.worktree !== undefined) {
    const given = host.files.realPath(resolvePath(root, options.worktree))
    if (host.files.sizeSeen(`${given}/.git`) > 0) return given
  }
  const around = await linkedWorktree(host, host.cwd)
  return around && (around.main === root || isBelow(around.main, root)) ? projectIn(around, root) : root
}

/** Returns the project's folder in a worktree. The project has the same path inside every worktree. */
const projectIn = ({ top, main }: { top: string; main: string }, root: string): string =>
  top + root.slice(main.length)
