import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { findProject } from '../host/find-project.ts'
import type { Files } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { printable } from '../kernel/print/printable.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import type { Paths } from '../prompt/facts.ts'

const defaultOutput = 'claudedocs/agent-outputs'

export interface Folders {
  paths: Paths
  /** Of the output, as the system names it. */
  output: string
  faults: Fault<'spawn.folder'>[]
}

/** Where the agent works and writes; the output folder is made, everything else has to be there. */
export const folders = async (project: Project, epic: string, wishes: SpawnOptions): Promise<Folders> => {
  const { host, root, folder, config } = project
  const { files } = host
  const work = wishes.worktree === undefined ? root : files.realPath(resolvePath(host.cwd, wishes.worktree))
  const usual = config.output?.dir ?? defaultOutput
  const output = resolvePath(work, wishes.output ?? usual)
  const manifest = resolvePath(work, config.manifest?.path ?? `${usual}/MANIFEST.jsonl`)
  const faults = work === root ? [] : await worktreeFaults(project, work)
  for (const [name, place] of faults.length > 0 ? [] : Object.entries({ output, manifest }))
    if (!isBelow(work, place) || !isBelow(work, realEnd(files, place)))
      faults.push(fault(name, place, `it is not below ${work}`))
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

/** Commands run there have to find this project: it is a git worktree of it, or no place to work in. */
const worktreeFaults = async ({ host, root }: Project, work: string): Promise<Fault<'spawn.folder'>[]> => {
  if (host.files.kind(work) !== 'folder') return [fault('worktree', work, 'there is no such folder')]
  const found = host.files.kind(`${work}/.git`) === undefined ? undefined : await findProject(host, work)
  return found?.found && found.root === root
    ? []
    : [fault('worktree', work, `it is no git worktree of ${root}`)]
}

/** A path without links, as far as it exists. */
const realEnd = (files: Files, path: string): string => {
  for (let end = path; ; end = end.slice(0, end.lastIndexOf('/')))
    if (end === '' || files.kind(end) !== undefined)
      return files.realPath(end || '/') + path.slice(end.length)
}

/** Only once nothing stands in the way of the spawn: a refusal leaves no traces. */
export const makeOutput = ({ host, dryRun }: Project, output: string): void => {
  if (!dryRun && host.files.kind(output) === undefined) host.files.makeFolder(output, 0o755)
}
