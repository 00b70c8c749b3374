import type { Context } from '../operation/context.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

interface Common {
  id: string
  /** What it checks, as a yes-or-no question for people. */
  question: string
}

/** Reads the project's files and its configuration. */
export interface FileCheck extends Common {
  needs: 'files'
  find(project: ExaminedProject): Promise<DoctorFinding[]> | DoctorFinding[]
  /** Fixes what it reported as fixable; must never lose data. */
  fix?(project: ExaminedProject): Promise<void> | void
}

/** Reads the store; runs only when the store is open and undamaged. */
export interface StoreCheck extends Common {
  needs: 'store'
  find(context: Context): Promise<DoctorFinding[]>
  fix?(context: Context): Promise<void>
  /** Its fix changes rows, so the database is backed up first. */
  changesRows?: boolean
}

export type Check = FileCheck | StoreCheck
