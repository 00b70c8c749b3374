import { Refused } from '../kernel/result.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { backupFolder, freeName, stamp } from '../store/sqlite/backup-names.ts'
import { checks } from './all-checks.ts'
import type { CheckFinding } from './doctor-finding.ts'
import { type Examination, examine } from './examine.ts'
import type { ExaminedProject } from './examined-project.ts'

export interface FixOutcome {
  left: Examination
  fixed: CheckFinding[]
  /** The path of the backup that was made before the first fix that changes rows. */
  backup?: string
}

/**
 * Doctor fixes the findings and examines the project again at most this many times. A fix can reveal more findings:
 * for example, an old database can be checked only after its migration.
 */
const mostRounds = 3

/** Fixes every fixable finding, then examines the project again. A dry run only reports what it would fix. */
export const fix = async (project: ExaminedProject, first: Examination): Promise<FixOutcome> => {
  if (project.dryRun) {
    await runFixes(project, first.findings)
    const left = { ...first, findings: first.findings.filter(({ fixable }) => !fixable) }
    return { left, fixed: first.findings.filter(({ fixable }) => fixable) }
  }
  const fixed: CheckFinding[] = []
  let left = first
  let backup: string | undefined
  for (let round = 0; round < mostRounds && left.findings.some(({ fixable }) => fixable); round++) {
    const done = await runFixes(project, left.findings, backup)
    backup = done.backup
    const next = await examine(project)
    fixed.push(...left.findings.filter((each) => each.fixable && !next.findings.some(sameAs(each))))
    left = { ...next, findings: next.findings.map((each) => withReason(each, done.failed)) }
  }
  return { left, fixed, ...(backup && { backup }) }
}

const sameAs =
  ({ check, what }: CheckFinding) =>
  (other: CheckFinding): boolean =>
    other.check === check && other.what === what

/** If `--fix` could not fix a finding, changes the finding so that it says why and no longer suggests `--fix`. */
const withReason = (finding: CheckFinding, failed: ReadonlyMap<string, string>): CheckFinding => {
  const reason = finding.fixable ? failed.get(finding.check) : undefined
  return reason === undefined
    ? finding
    : {
        ...finding,
        advice: `It could not be fixed: ${reason.replace(/\.$/, '')}`,
        fix: undefined,
        fixable: false,
      }
}

/** Backs up the database before the first fix that changes rows. */
const runFixes = async (
  project: ExaminedProject,
  findings: readonly CheckFinding[],
  earlierBackup?: string,
): Promise<{ backup?: string; failed: Map<string, string> }> => {
  const due = new Set(findings.filter(({ fixable }) => fixable).map(({ check }) => check))
  const failed = new Map<string, string>()
  let backup = earlierBackup
  for (const check of checks.filter(({ id }) => due.has(id))) {
    try {
      if (check.needs === 'store' && check.changesRows) backup ??= await backUp(project)
      if (check.needs === 'files') await check.fix?.(project)
      else if (project.context) await check.fix?.(project.context)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      failed.set(check.id, error.message)
    }
  }
  return { ...(backup && { backup }), failed }
}

/** PostgreSQL is backed up by its server. */
const backUp = async ({ host, folder, context, dryRun }: ExaminedProject): Promise<string | undefined> => {
  if (dryRun || context?.store.dialect.name !== 'sqlite') return undefined
  const { saveSqlite } = await import('../store/sqlite/backup.ts')
  const backups = backupFolder(folder)
  host.files.makeFolder(backups, 0o700)
  for (;;) {
    const path = freeName(backups, `before-doctor-${stamp(host.now())}`)
    if (saveSqlite(databasePath(folder), path, { unique: host.randomId(8) })) return path
  }
}
