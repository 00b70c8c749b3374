/** One problem, and the field or file that has it. */
export interface Problem {
  path: string
  message: string
  fix?: string
}

/** The problems that an answer shows, and how many it leaves out. */
export interface Problems {
  problems: Problem[]
  more?: number
}

export const problemCount = ({ problems, more = 0 }: Problems): number => problems.length + more

/** Returns the end of a list of problems: `, and 12 more`. */
export const andMore = (more: number | undefined): string => (more ? `, and ${more} more` : '')

interface Sentences<F> {
  message(facts: F): string
  alternatives?(facts: F): string[]
}

interface LastingRefusal<F> extends Sentences<F> {
  /** Exit status of the command line; SPEC OUT-3 has the table. */
  exit: number
  retryable?: never
  /** A command to run next, which must never destroy data. */
  fix?(facts: F): string | undefined
}

/**
 * A refusal because of a lock, a failed checksum, a concurrent change or a taken id. The same command can succeed
 * later.
 */
interface PassingRefusal<F> extends Sentences<F> {
  exit: 7 | 20 | 21 | 22
  retryable: true
  /** The caller has nothing to change, so there is no fix. */
  fix?: never
}

export type Refusal<F> = LastingRefusal<F> | PassingRefusal<F>

export const runAgain = 'Run the same command again.'

export const refusal = <F>(shape: Refusal<F>): Refusal<F> => shape

/**
 * Returns the problem with its path: `title is empty`, or `title: …` if the message is a sentence. Quotes a path such
 * as `to`, which could be read as a word of the sentence. Leaves the path out if the message already begins with the
 * quoted path.
 */
export const problemSentence = ({ path, message }: Problem): string => {
  if (!path || message.startsWith(`"${path}"`)) return message
  if (!/^(?:is|are|has|must|cannot|needs|was) /.test(message)) return `${path}: ${message}`
  return /^(?:to|no|from|after|in|open)$/.test(path) ? `"${path}" ${message}` : `${path} ${message}`
}

export const withFullStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

export const folderOf = (path: string): string => {
  const end = path.lastIndexOf('/')
  return end < 0 ? '.' : path.slice(0, end) || '/'
}

export interface BackupFacts {
  path: string
  at: string
  tasks: number
  /** Tasks that were spawned but are missing in the backup. */
  missing?: string[]
}

export const backupSentence = ({ path, at, tasks, missing }: BackupFacts): string =>
  `a backup of ${at} with ${tasks} ${tasks === 1 ? 'task' : 'tasks'} is in ${path}. Later changes${missing ? `, including ${missing.join(', ')},` : ''} are not in this backup, because CLEO makes a backup at most once an hour.`

/** For people, for example `2026-01-31 14:05`. */
export const minuteOf = (time: string): string => time.slice(0, 16).replace('T', ' ')
