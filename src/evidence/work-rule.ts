import { pathMatcher } from '../kernel/path-pattern.ts'
import type { Problem } from '../kernel/result.ts'
import { ingest } from '../manifest/ingest.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import { shellQuote } from '../print/shell-quote.ts'
import * as lists from '../tasks/sql/lists.ts'
import { type EvidenceFolder, fromTop } from './evidence-folder.ts'
import { hasChanged } from './files-before.ts'
import type { Observations } from './observed-atom.ts'
import type { SpawnHistory } from './spawn-history.ts'
import { asFlag, verifyLine } from './verify-line.ts'

interface ClaimedWork {
  task: string
  /** The files that the evidence names, relative to the folder. */
  named: readonly string[]
  history?: SpawnHistory
  /** Whether uncommitted files have been reported already. */
  isOpen: boolean
  /**
   * The command with which the agent explains, in its entry, why it changed no declared file. By default it is a
   * `manifest append`.
   */
  reasonLine?: string
}

/**
 * Requires that a spawn changed something. In a repository, a commit since the spawn began must change a named file.
 * If the task declares files, a commit must also change a declared file. Without git, a named file must have changed
 * since the spawn.
 */
export const requireWork = async (
  context: Context,
  where: EvidenceFolder,
  { task, named, history, isOpen, reasonLine }: ClaimedWork,
  observed: Observations,
): Promise<void> => {
  const { spawn } = where
  if (!spawn || where.lost || where.git?.fault()) return
  // If no named file passed the earlier checks, the problems are already reported.
  if (named.length === 0 && observed.problems.length > 0) return
  const work = named.filter((path) => !where.isOutside(path))
  const changed = changedFiles(where, work, history)
  // Do not report that work is missing in two cases: the changed files are not known, or the work could be in
  // uncommitted files. Uncommitted files are already reported.
  if (changed === undefined || (isOpen && changed.length === 0)) return
  const isChanged = (path: string) => changed.some((each) => each === path || path.startsWith(`${each}/`))
  if (!work.some(isChanged)) {
    observed.problems.push(noWork(context, where, { task, named, history, isOpen }, changed))
    return
  }
  const declared = where.terms?.files ?? (await lists.read(context.store, 'files', task))
  if (declared.length === 0 || changed.some(pathMatcher(declared))) return
  const reason = await reasonInEntry(context, where)
  if (reason) observed.atoms.push({ kind: 'warning', text: `no declared file was changed: ${reason}` })
  else observed.problems.push(await noDeclaredFile(context, where, task, { declared, changed, reasonLine }))
}

/**
 * Returns the files that the spawn changed, relative to the folder; undefined if that is not known. Without git, looks
 * only at the named files.
 */
export const changedFiles = (
  where: EvidenceFolder,
  named: readonly string[],
  history: SpawnHistory | undefined,
): string[] | undefined => {
  // If the repository was made after the spawn, git does not know the files from before the spawn. So compare the
  // named files with the record that was made at the spawn.
  if (!where.git || where.terms?.git === false) return named.filter((path) => hasChanged(where, path))
  if (!history || history.problem) return undefined
  const files = new Set(history.own.flatMap(({ files }) => files.map((path) => fromTop(where, path))))
  return [...files].filter((path) => !where.isOutside(path))
}

const mostNames = 5

const listed = (paths: readonly string[]): string =>
  paths.length > mostNames
    ? `${paths.slice(0, mostNames).join(', ')} and ${paths.length - mostNames} more`
    : paths.join(', ')

const noWork = (
  { actor, host }: Context,
  where: EvidenceFolder,
  { task, named, history }: ClaimedWork,
  changed: readonly string[],
): Problem => {
  const { id } = where.spawn!
  const waive = `cleo verify ${task} --waive --gate implemented --reason "…"${asFlag(actor)}`
  const way = `If nothing had to change, ask a person to accept that: ${waive}`
  if (!where.git || where.terms?.git === false)
    return {
      path: 'files',
      message: `${listed(named) || 'the files'} did not change since ${id} was spawned. ${way}`,
      fix: waive,
    }
  if (changed.length === 0) {
    const others = history!.commits.length > 0 ? ' of this task' : ''
    const none = `no commit${others} since ${id} was spawned changes a file other than output files`
    // If an agent works in the wrong folder, name the right folder before the agent asks for a waiver.
    const isElsewhere = !where.isShared && !`${host.cwd}/`.startsWith(`${where.folder}/`)
    return isElsewhere
      ? {
          path: 'commit',
          message: `${none} in ${where.folder}, where ${id} has to work and commit. ${way}`,
          fix: `cd ${shellQuote(where.folder)}`,
        }
      : { path: 'commit', message: `${none}. ${way}`, fix: waive }
  }
  const files = changed.filter((path) => !/[,;]/.test(path)).slice(0, mostNames)
  return {
    path: 'files',
    message: `no commit since ${id} was spawned touches ${listed(named)}; the commits touch ${listed(changed)}. ${way}`,
    fix: verifyLine(
      { task, ...(actor.agent && { as: id }) },
      '--gate implemented',
      `commit:HEAD;files:${files.join(',')}`,
    ),
  }
}

const prefix = 'files:'

/**
 * Returns the reason why no declared file was changed. The agent gives the reason as a warning in its manifest entry.
 */
const reasonInEntry = async (
  context: Context,
  { spawn, folder }: EvidenceFolder,
): Promise<string | undefined> => {
  // Read new manifest lines first, because an agent can have appended its entry by hand.
  await ingest(context, folder === context.root ? [] : [folder])
  const entry = await entries.ofSpawn(context.store, spawn!.id)
  const { warnings } = JSON.parse(entry?.body ?? '{}') as { warnings?: unknown }
  const texts = Array.isArray(warnings) ? warnings.filter((each) => typeof each === 'string') : []
  const found = texts.find((text) => text.trim().toLowerCase().startsWith(prefix))
  return found?.trim().slice(prefix.length).trim() || undefined
}

const noDeclaredFile = async (
  { store, actor }: Context,
  { spawn }: EvidenceFolder,
  task: string,
  given: { declared: readonly string[]; changed: readonly string[]; reasonLine?: string },
): Promise<Problem> => {
  const { declared, changed, reasonLine } = given
  const entry = await entries.ofSpawn(store, spawn!.id)
  const status = entry?.status === 'partial' ? 'partial --followup "<what is left>"' : 'complete'
  const again = entry ? ` --revises ${entry.id}` : ''
  const who = asFlag(actor) || ` --task ${task}`
  return {
    path: 'files',
    message: `${spawn!.id} changed ${listed(changed)}, but none of the files that the task declares: ${listed(declared)}. If that is right, say why in the entry`,
    fix:
      reasonLine ??
      `cleo manifest append --status ${status} --finding "<one sentence>" --warning "files: <why>"${again}${who}`,
  }
}
