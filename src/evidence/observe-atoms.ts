import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Git } from '../host/git.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Context } from '../operation/context.ts'
import type { Atom } from './atoms.ts'
import { type EvidenceFolder, folderAtCommit, gitProblems, relativeToFolder } from './evidence-folder.ts'
import type { Observations } from './observed-atom.ts'
import { type Evidence, filesMadeByRuns } from './recheck.ts'

interface EvidenceToObserve {
  task: string
  gate?: Gate
  atoms: readonly Atom[]
  spawn?: SpawnRow
  /** The newest evidence for each gate and criterion of the task. */
  rows: readonly Evidence[]
}

/** Checks every atom against files, git and reports; runs the tools last, and only if nothing else is wrong. */
export const observeAtoms = async (
  context: Context,
  where: EvidenceFolder,
  given: EvidenceToObserve,
): Promise<Observations> => {
  const observed: Observations = { atoms: [], problems: [], warnings: [], isNa: false }
  const { atoms, gate } = given
  const files = atoms.flatMap((atom) => (atom.kind === 'files' ? atom.paths : []))
  await observeFiles(where, files, gate === 'implemented', observed)
  await observeCommits(where, atoms, observed)
  const needsGit = ({ kind }: Atom) => kind === 'commit' || kind === 'tool' || gate === 'implemented'
  if (atoms.some(needsGit)) observed.problems.push(...gitProblems(where))
  for (const atom of atoms) {
    if (atom.kind === 'test-run') await observeReport(where, atom.path, observed)
    if (atom.kind === 'url' || atom.kind === 'note') observed.atoms.push(atom)
  }
  const tools = atoms.flatMap((atom) => (atom.kind === 'tool' ? [atom.tool] : []))
  if (tools.length > 0) {
    const { runTools } = await import('./run-tools.ts')
    const { task, spawn, rows } = given
    await runTools(context, where, { tools, task, gate, spawn, made: filesMadeByRuns(rows) }, observed)
  }
  return observed
}

/** Each path must be a regular file inside the folder. In a repository, implemented work must also be committed. */
const observeFiles = async (
  where: EvidenceFolder,
  named: readonly string[],
  mustBeCommitted: boolean,
  { atoms, problems }: Observations,
): Promise<void> => {
  if (named.length === 0) return
  const { hashInside } = await import('../host/safe-read.ts')
  const files: { path: string; sha256: string }[] = []
  for (const each of new Set(named.map((path) => relativeToFolder(where, path)))) {
    const hashed = hashInside(where.folder, each)
    if (hashed.ok) files.push({ path: each, sha256: hashed.sha256 })
    else problems.push({ path: 'files', message: `${each} ${hashed.why} (in ${where.folder})` })
  }
  if (files.length === 0) return
  atoms.push({ kind: 'files', files })
  if (!mustBeCommitted || !where.git) return
  const { uncommitted } = await import('../host/uncommitted.ts')
  const open = await uncommitted(where.git, where.folder, files)
  if (where.git.fault()) return
  for (const [path, why] of open)
    problems.push({ path: 'files', message: `${path} ${why} in ${folderAtCommit(where)}` })
}

/** Commits must exist and be in the history of the checked-out commit. */
const observeCommits = async (
  where: EvidenceFolder,
  named: readonly Atom[],
  { atoms, problems, warnings }: Observations,
): Promise<void> => {
  const refs = named.flatMap((atom) => (atom.kind === 'commit' ? [atom.ref] : []))
  const files = atoms.flatMap((atom) => (atom.kind === 'files' ? atom.files : []))
  for (const ref of refs) {
    const path = 'commit'
    if (where.lost) return
    if (!where.git) {
      problems.push({ path, message: `${where.folder} is not in a git repository; leave the commit out` })
      continue
    }
    const sha = await where.git.commit(ref)
    const outside = sha === undefined ? [] : await where.git.notReachable([sha])
    if (where.git.fault()) return
    if (sha === undefined) problems.push({ path, message: `there is no commit ${ref} in ${where.folder}` })
    else if (outside.length > 0)
      problems.push({ path, message: `commit ${ref} is not in the history of ${folderAtCommit(where)}` })
    else {
      atoms.push({ kind: 'commit', ref, sha })
      if (await isOlder(where, where.git, sha))
        warnings.push(`commit ${sha.slice(0, 7)} is older than the first spawn of the task`)
      const touched = new Set(files.length > 0 ? await where.git.touched(sha) : [])
      if (files.length > 0 && !files.some((file) => touched.has(file.path)))
        warnings.push(`commit ${sha.slice(0, 7)} touches none of the named files`)
    }
  }
}

/** True if the commit was already in the history when the task was first spawned. */
const isOlder = async ({ began, head }: EvidenceFolder, git: Git, sha: string): Promise<boolean> =>
  began !== undefined &&
  (began === head || began === sha || (await git.notReachable([sha], began)).length === 0)

/** The report must have no failures. CLEO did not see the run; the person who set gates.reports vouches for it. */
const observeReport = async (
  where: EvidenceFolder,
  named: string,
  { atoms, problems }: Observations,
): Promise<void> => {
  const { readInside } = await import('../host/safe-read.ts')
  const { maxReportSize, readReport } = await import('../test-reports/read-report.ts')
  const { sha256 } = await import('../host/sha256.ts')
  const path = relativeToFolder(where, named)
  const kind = 'test-run'
  const read = readInside(where.folder, path, maxReportSize)
  if (!read.ok) {
    problems.push({ path: kind, message: `${path} ${read.why} (in ${where.folder})` })
    return
  }
  const report = readReport(read.text)
  if ('problem' in report) problems.push({ path: kind, message: `${path}: ${report.problem}` })
  else if (report.failed > 0)
    problems.push({
      path: kind,
      message: `${path} reports ${report.failed} of ${report.tests} tests as failed`,
    })
  else {
    const { format, passed, failed, skipped } = report
    atoms.push({ kind, path, sha256: sha256(read.text), format, passed, failed, skipped })
  }
}
