import { isAbsolute, join, relative, resolve } from 'node:path'
import { harmless } from '../../model/harmless.ts'
import { type Fault, fail } from '../../model/result.ts'
import type { Paths } from '../../prompt/spawn/facts.ts'
import type { Project } from '../context.ts'
import type { Wishes } from './asked.ts'

const defaultOutput = 'claudedocs/agent-outputs'

export interface Folders {
  paths: Paths
  faults: Fault<'spawn.folder'>[]
}

/** Where the agent works and writes; the output folder is made, everything else has to be there. */
export const folders = (project: Project, epic: string, wishes: Wishes): Folders => {
  const { host, root, folder, config } = project
  const { files } = host
  const work = wishes.worktree === undefined ? root : files.realPath(resolve(host.cwd, wishes.worktree))
  const output = resolve(work, wishes.output ?? config.output?.dir ?? defaultOutput)
  const manifest = resolve(
    work,
    config.manifest?.path ?? join(config.output?.dir ?? defaultOutput, 'MANIFEST.jsonl'),
  )
  const faults = [
    ...(files.kind(work) === 'folder' ? [] : [fault('worktree', work, 'there is no such folder')]),
    ...outside(project, work, { output, manifest }),
  ]
  if (faults.length === 0) faults.push(...makeOutput(project, output))
  const paths = {
    root,
    work,
    output,
    manifest,
    workspace: `${folder}/rcasd/${epic}`,
    testRuns: `${folder}/test-runs`,
  }
  return { paths: mapped(paths), faults }
}

const fault = (path: string, folder: string, why: string): Fault<'spawn.folder'> => ({
  path,
  failure: fail('spawn.folder', { path: folder, why }),
})

const outside = ({ host }: Project, work: string, places: Record<string, string>): Fault<'spawn.folder'>[] =>
  Object.entries(places).flatMap(([name, place]) => {
    const real = realEnd(host.files, place)
    return isBelow(work, place) && isBelow(work, real) ? [] : [fault(name, place, `it is not below ${work}`)]
  })

const isBelow = (folder: string, path: string): boolean => {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith('../') && !isAbsolute(way)
}

/** A path without links, as far as it exists. */
const realEnd = (files: Project['host']['files'], path: string): string => {
  for (let end = path, rest = ''; ; rest = join(end.slice(end.lastIndexOf('/') + 1), rest), end = above(end))
    if (end === '/' || files.kind(end) !== undefined) return join(files.realPath(end), rest)
}
const above = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'

const makeOutput = ({ host, dryRun }: Project, output: string): Fault<'spawn.folder'>[] => {
  const kind = host.files.kind(output)
  if (kind === 'folder') return []
  if (kind !== undefined) return [fault('output', output, 'it is not a folder')]
  if (!dryRun) host.files.makeFolder(output, 0o755)
  return []
}

/** What the name of a folder holds must not act in the prompt, a line break least of all. */
const mapped = (paths: Paths): Paths =>
  Object.fromEntries(Object.entries(paths).map(([key, path]) => [key, harmless(path)])) as unknown as Paths
