import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { resolvePath } from '../kernel/path.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { defaultOutput, manifestPath } from '../output/manifest-path.ts'
import { outputName, relative } from '../output/output-file.ts'
import { isProjectInWorktree } from '../output/work-folders.ts'
import { printable } from '../print/printable.ts'
import { whyNoManifest, whyNoOutput, whyOutside } from '../project/confined-path.ts'
import type { Paths } from '../prompt/prompt-facts.ts'

export interface Folders {
  paths: Paths
  /** The path of the output folder on disk. `paths.output` is the same path in printable form. */
  output: string
  faults: Fault<FolderCode>[]
}

type FolderCode = 'spawn.folder' | 'path.outside'

/** The output folder need not exist yet. */
export const folders = async (
  project: Project,
  task: { id: string; title: string; epic: string },
  options: SpawnOptions,
): Promise<Folders> => {
  const { host, root, folder, config } = project
  const { files } = host
  const work = options.worktree === undefined ? root : files.realPath(resolvePath(host.cwd, options.worktree))
  const usual = config.output?.dir ?? defaultOutput
  const file = manifestPath(project)
  const output = resolvePath(work, options.output ?? usual)
  const manifest = resolvePath(work, file)
  const faults: Fault<FolderCode>[] = work === root ? [] : await worktreeFaults(project, work)
  if (faults.length === 0) {
    const refuseOutside = (setting: string, path: string, why: string | undefined) => {
      const field = setting === 'manifest.path' ? 'manifest' : 'output'
      if (why) faults.push({ path: field, failure: fail('path.outside', { setting, path, why }) })
    }
    if (options.output !== undefined)
      refuseOutside('--output', options.output, whyNoOutput(work, options.output))
    refuseOutside('output.dir', usual, whyOutside(work, usual))
    refuseOutside('manifest.path', file, whyNoManifest(work, file))
    for (const path of config.output?.roots ?? []) refuseOutside('output.roots', path, whyOutside(work, path))
  }
  if (faults.length === 0 && ![undefined, 'folder'].includes(files.kind(output)))
    faults.push(fault('output', output, 'it is not a folder'))
  return {
    paths: {
      root: printable(root),
      work: printable(work),
      output: printable(output),
      outputFile: printable(relative(work, `${output}/${outputName(task)}`)),
      manifest: printable(manifest),
      workspace: `${printable(folder)}/rcasd/${task.epic}`,
      testRuns: `${printable(folder)}/test-runs`,
    },
    output,
    faults,
  }
}

const fault = (path: string, folder: string, why: string): Fault<'spawn.folder'> => ({
  path,
  failure: fail('spawn.folder', { path: folder, why }),
})

/** Checks that a folder is a git worktree of this project, so that commands in it find the project. */
const worktreeFaults = async (project: Project, work: string): Promise<Fault<'spawn.folder'>[]> => {
  if (project.host.files.kind(work) !== 'folder') return [fault('worktree', work, 'there is no such folder')]
  return (await isProjectInWorktree(project, work))
    ? []
    : [fault('worktree', work, `it is not a git worktree of ${project.root}`)]
}

/** Called after all checks, so that a refused spawn leaves no folder behind. */
export const makeFolders = ({ host, folder, dryRun }: Project, output: string, epic: string): void => {
  if (dryRun) return
  const make = (path: string, mode: number): boolean => {
    const kind = host.files.kind(path)
    if (kind === undefined) host.files.makeFolder(path, mode)
    return kind === undefined || kind === 'folder'
  }
  make(output, 0o755)
  make(`${folder}/test-runs`, 0o700)
  // Stop if a symbolic link is in place of the folder, because the link could lead out of the project.
  if (make(`${folder}/rcasd`, 0o700)) make(`${folder}/rcasd/${epic}`, 0o700)
}
