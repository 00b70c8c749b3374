import type { Context } from '../operation/context.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

interface Common {
  id: string
  /** What the check examines, as a yes-or-no question. */
  question: string
}

export interface FileCheck extends Common {
  needs: 'files'
  find(project: ExaminedProject): Promise<DoctorFinding[]> | DoctorFinding[]
  /** Fixes the findings that this check reported as fixable. A fix must never lose data. */
  fix?(project: ExaminedProject): Promise<void> | void
}

/** A check of the store runs only when the store is open and undamaged. */
export interface StoreCheck extends Common {
  needs: 'store'
  find(context: Context): Promise<DoctorFinding[]>
  fix?(context: Context): Promise<void>
  /** True if the fix changes rows. Doctor then backs up the database before it runs the fix. */
  changesRows?: boolean
}

export type Check = FileCheck | StoreCheck
