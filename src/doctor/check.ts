import type { Context } from '../operation/context.ts'
import type { Finding } from './finding.ts'
import type { Patient } from './patient.ts'

interface Common {
  id: string
  /** The question it answers, for people. */
  asks: string
}

/** Looks at the project's files and its settings. */
export interface FileCheck extends Common {
  needs: 'files'
  look(patient: Patient): Promise<Finding[]> | Finding[]
  /** Mends what it called mendable; nothing is lost by it. */
  mend?(patient: Patient): Promise<void> | void
}

/** Asks the store, which is open and sound. */
export interface StoreCheck extends Common {
  needs: 'store'
  look(context: Context): Promise<Finding[]>
  mend?(context: Context): Promise<void>
  /** It mends rows, and so a backup comes first. */
  changesRows?: boolean
}

export type Check = FileCheck | StoreCheck
