import { isLfsPointer, lfsPointerBytes } from '../git/matches-blob.ts'
import { hashInside, readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import { type EvidenceFolder, folderAtCommit, fromTop, relativeToFolder, toTop } from './evidence-folder.ts'
import type { Observations } from './observed-atom.ts'
import type { SpawnHistory } from './spawn-history.ts'
import type { UncommittedWork } from './uncommitted-work.ts'

interface NamedFiles {
  paths: readonly string[]
  /** True if the files are evidence of the work itself, so that they must be committed. */
  isWork: boolean
  history?: SpawnHistory
  /** Undefined without git. */
  uncommitted?: UncommittedWork
}

/**
 * Checks that each path is a regular file inside the folder. In a repository, evidence of implemented work must also
 * be committed.
 */
export const observeFiles = (
  where: EvidenceFolder,
  { paths, isWork, history, uncommitted }: NamedFiles,
  { atoms, problems }: Observations,
): void => {
  const files: { path: string; sha256: string }[] = []
  const add = (message: string) => problems.push({ path: 'files', message })
  for (const path of new Set(paths.map((each) => relativeToFolder(where, each)))) {
    const hashed = hashInside(where.folder, path, lfsPointerBytes)
    // A deleted file is valid evidence of work.
    if (!hashed.ok && hashed.missing && isWork && isDeleted(where, path, history, uncommitted))
      files.push({ path, sha256: '' })
    else if (!hashed.ok) add(`${path} ${hashed.why} (in ${where.folder})`)
    else if (isLfsPointer(hashed.first)) add(`${path} is a git LFS pointer, not the file; run git lfs pull`)
    else files.push({ path, sha256: hashed.sha256 })
  }
  if (files.length > 0) atoms.push({ kind: 'files', files })
  if (!isWork || !uncommitted) return
  for (const { path, sha256 } of files) {
    const why = sha256 === '' ? undefined : notInCommit(where, path, uncommitted)
    if (why) add(`${path} ${why} in ${folderAtCommit(where)}`)
  }
}

const isDeleted = (
  where: EvidenceFolder,
  path: string,
  history: SpawnHistory | undefined,
  uncommitted: UncommittedWork | undefined,
): boolean =>
  uncommitted?.state.files.get(toTop(where, path)) === undefined &&
  history?.own.some(({ files }) => files.includes(toTop(where, path))) === true

/**
 * Returns why a file is not part of the checked-out commit. Returns undefined if the file is part of it, or if the
 * list of uncommitted files already names the file.
 */
const notInCommit = (
  where: EvidenceFolder,
  path: string,
  { state, open }: UncommittedWork,
): string | undefined => {
  if (open.some((file) => file.path === path)) return undefined
  const known = state.files.get(toTop(where, path))
  if (!known) return 'is not committed, because git ignores it,'
  if (!known.tracked) return 'is not committed'
  return state.open.some((file) => fromTop(where, file.path) === path)
    ? 'has changes that are not committed'
    : undefined
}

/**
 * Checks that a test report has no failures. CLEO did not see the test run, so reports count only if a person has set
 * `gates.reports`.
 */
export const observeReport = async (
  where: EvidenceFolder,
  named: string,
  { atoms, problems }: Observations,
): Promise<void> => {
  const { maxReportSize, readReport } = await import('../test-reports/read-report.ts')
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
