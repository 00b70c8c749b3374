/** One problem, and the field or file that has it. */
export interface Problem {
  path: string
  message: string
  fix?: string
}

/** The problems that an answer shows, and how many others there are. */
export interface Problems {
  problems: Problem[]
  more?: number
}

export const problemCount = ({ problems, more = 0 }: Problems): number => problems.length + more

/** Ends a list of problems: `, and 12 more`. */
export const andMore = (more: number | undefined): string => (more ? `, and ${more} more` : '')

export interface Refusal<F> {
  /** Exit status of the command line; SPEC OUT-3 has the table. */
  exit: number
  retryable?: boolean
  message(facts: F): string
  /** A command to run next, which must never destroy data. */
  fix?(facts: F): string | undefined
  alternatives?(facts: F): string[]
}

export const refusal = <F>(shape: Refusal<F>): Refusal<F> => shape

export const problemSentence = ({ path, message }: Problem): string =>
  path ? `${path}: ${message}` : message

/** A backup in the user's state folder. */
export interface BackupFacts {
  path: string
  at: string
  tasks: number
}

export const backupSentence = ({ path, at, tasks }: BackupFacts): string =>
  `a backup of ${at} with ${tasks} ${tasks === 1 ? 'task' : 'tasks'} is in ${path}.`
