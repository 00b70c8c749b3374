import { Refused } from '../kernel/result.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'
import { checks } from './all-checks.ts'
import type { Check } from './check.ts'
import { bySeverity, type CheckFinding, type DoctorFinding, manualFinding } from './doctor-finding.ts'
import { type ExaminedProject, isLocked } from './examined-project.ts'

export interface Examination {
  findings: CheckFinding[]
  /** Ids of checks that could not run because of another finding. */
  skipped: string[]
}

/** If one check throws an error, the others still run. */
export const examine = async (project: ExaminedProject): Promise<Examination> => {
  const findings: CheckFinding[] = []
  const skipped: string[] = []
  for (const check of checks) {
    const found = canRun(check, project) ? await run(check, project) : 'skipped'
    if (found === 'skipped') skipped.push(check.id)
    else for (const finding of found) findings.push({ check: check.id, ...finding })
  }
  return { findings: bySeverity(findings), skipped }
}

const canRun = ({ id, needs }: Check, project: ExaminedProject): boolean =>
  isLocked(project) ? id === 'config' : needs === 'files' || project.state.is === 'open'

const run = async (check: Check, project: ExaminedProject): Promise<DoctorFinding[] | 'skipped'> => {
  try {
    return check.needs === 'files' ? await check.find(project) : await check.find(project.context!)
  } catch (error) {
    // If the database is read-only, skip a check that has to write. The `writable` check reports the read-only
    // database.
    if (error instanceof Refused && readOnlyCodes.includes(error.failure.code)) return 'skipped'
    // Skip the check if the configuration names a path that is not allowed. The `writable` check reports this path.
    if (error instanceof Refused && error.failure.code === 'path.outside') return 'skipped'
    // Report any other error as a finding, because doctor must work in a project in which something is broken.
    return [failed(check, error)]
  }
}

const readOnlyCodes: readonly Code[] = ['store.readonly', 'store.disk_readonly']

const failed = ({ question }: Check, error: unknown): DoctorFinding => {
  const failure = error instanceof Refused ? error.failure : undefined
  const reason = error instanceof Error ? error.message : String(error)
  return manualFinding({
    kind: failure?.code === 'store.corrupt' ? 'damage' : 'file',
    severity: 'error',
    what: reason.replace(/\.$/, ''),
    why: `so this could not be checked: ${question}`,
    ...(failure?.fix && { fix: failure.fix }),
  })
}
