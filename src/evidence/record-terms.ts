import { optionsOf, type SpawnOptions, type SpawnRow } from '../claims/sql/spawns.ts'
import { sparseRules } from '../git/git-folder.ts'
import { isBelow } from '../kernel/path.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Context, Project } from '../operation/context.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import { type EvidenceFolder, evidenceFolderAt, outputsIn } from './evidence-folder.ts'
import { type SpawnTerms, termsOf } from './spawn-terms.ts'

interface SpawnToRecord {
  /** The attempt before this one. */
  latest: SpawnRow | undefined
  options: SpawnOptions
  gates: readonly Gate[]
  files: readonly string[]
}

/** Evidence for these gates is compared with the state of the files before the spawn. */
const aboutFiles: readonly Gate[] = ['implemented', 'testsPassed', 'qaPassed', 'securityPassed']

/**
 * Records the terms of a spawn. Files that were uncommitted before a spawn are tolerated. But if one attempt forgot to
 * commit its files, the next attempt must not tolerate them. So a later attempt keeps the start commit and the list of
 * uncommitted files that were recorded for the first attempt.
 */
export const recordTerms = async (
  context: Context,
  { latest, options, gates, files }: SpawnToRecord,
): Promise<SpawnTerms> => {
  const { host, root, config } = context
  const folder = options.worktree ?? root
  const where = await evidenceFolderAt(context, folder, undefined)
  const outputs = outputsIn(context, folder, { asked: JSON.stringify(options) })
  // If CLEO made a worktree for this attempt, the attempt starts from scratch, so the terms of the last attempt are not
  // used.
  const first = options.tree ? undefined : termsOf(latest)
  const began = options.tree?.commit ?? (first ? first.began : where.head)
  const before = first ? first.before : await filesBefore(context, where, options, gates)
  const sparse = where.git && (await sparseRules(host, folder))
  return {
    required: gates,
    reports: config.gates?.reports ?? false,
    git: where.git !== undefined,
    ...(began && { began }),
    ...(where.head && where.head !== began && { from: where.head }),
    at: first?.at ?? (options.tree ? undefined : latest?.at) ?? host.now(),
    ...(files.length > 0 && { files }),
    outputs,
    roots: rootsIn(context, folder, { asked: JSON.stringify(options) }),
    ...(before && { before }),
    ...(sparse && { sparse }),
  }
}

const filesBefore = async (
  context: Context,
  where: EvidenceFolder,
  { worktree }: SpawnOptions,
  gates: readonly Gate[],
) => {
  // In a shared folder, or in a folder without git, record the files to see later which files are new. In the spawn's
  // own worktree, this is not needed: every file there belongs to the spawn.
  if ((worktree !== undefined && where.git) || !gates.some((gate) => aboutFiles.includes(gate)))
    return undefined
  const { recordFiles } = await import('./files-before.ts')
  return recordFiles(context, where)
}

/**
 * Returns the paths of all folders that can hold output files, and the path of the manifest. The paths are relative to
 * the work folder `folder`. Paths outside this folder are left out.
 */
export const rootsIn = (
  project: Project,
  folder: string,
  spawn: Pick<SpawnRow, 'asked'> | undefined,
): string[] => {
  const { outputRoots, manifest } = workFoldersIn(project, folder, optionsOf(spawn))
  return [...new Set([...outputRoots, manifest])]
    .filter((path) => isBelow(folder, path))
    .map((path) => path.slice(folder.length + 1))
}
