import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { findProject } from '../host/find-project.ts'
import type { Files } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { printable } from '../kernel/print/printable.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import type { Paths } from '../prompt/prompt-facts.ts'

const defaultOutput = 'claudedocs/agent-outputs'

export interface Folders {
  paths: Paths
  /** The path of the output folder on disk; `paths.output` is its printable form. */
  output: string
  faults: Fault<'spawn.folder'>[]
}

/** Finds the paths where the agent works and writes, and checks them. The output folder need not exist yet. */
export const folders = async (project: Project, epic: string, options: SpawnOptions): Promise<Folders> => {
  const { host, root, folder, config } = project
  const { files } = host
  const work = options.worktree === undefined ? root : files.realPath(resolvePath(host.cwd, options.worktree))
  const usual = config.output?.dir ?? defaultOutput
  const output = resolvePath(work, options.output ?? usual)
  const manifest = resolvePath(work, config.manifest?.path ?? `${usual}/MANIFEST.jsonl`)
  const faults = work === root ? [] : await worktreeFaults(project, work)
  for (const [name, path] of faults.length > 0 ? [] : Object.entries({ output, manifest }))
    if (!isBelow(work, path) || !isBelow(work, realEnd(files, path)))
      faults.push(fault(name, path, `it is not inside ${work}`))
  if (faults.length === 0 && ![undefined, 'folder'].includes(files.kind(output)))
    faults.push(fault('output', output, 'it is not a folder'))
  return {
    paths: {
      root: printable(root),
      work: printable(work),
      output: printable(output),
      manifest: printable(manifest),
      workspace: `${printable(folder)}/rcasd/${epic}`,
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

/** A worktree must be a git worktree of this project, so that commands run there find the project. */
const worktreeFaults = async ({ host, root }: Project, work: string): Promise<Fault<'spawn.folder'>[]> => {
  if (host.files.kind(work) !== 'folder') return [fault('worktree', work, 'there is no such folder')]
  const found = host.files.kind(`${work}/.git`) === undefined ? undefined : await findProject(host, work)
  return found?.found && found.root === root
    ? []
    : [fault('worktree', work, `it is not a git worktree of ${root}`)]
}

/** Resolves the links in the part of a path that exists. */
const realEnd = (files: Files, path: string): string => {
  for (let end = path; ; end = end.slice(0, end.lastIndexOf('/')))
    if (end === '' || files.kind(end) !== undefined)
      return files.realPath(end || '/') + path.slice(end.length)
}

/** Creates the output folder. Called after all checks of a spawn, so that a refused spawn leaves no folder behind. */
export const makeOutput = ({ host, dryRun }: Project, output: string): void => {
  if (!dryRun && host.files.kind(output) === undefined) host.files.makeFolder(output, 0o755)
}
