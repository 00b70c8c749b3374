import { type Problems, problemCount, problemSentence, refusal } from './refusal.ts'

export interface Diagnosis extends Problems {
  /** Checks whose findings were fixed. */
  fixed: string[]
  /** Checks that could not run. */
  skipped: string[]
  fix?: string
}

const withFullStop = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const message = ({ problems, more, fixed, skipped }: Diagnosis): string =>
  [
    problems.length === 1
      ? withFullStop(problemSentence(problems[0]!))
      : `Found ${problemCount({ problems, more })} problems.`,
    ...(fixed.length > 0 ? [`Fixed: ${fixed.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Could not be checked: ${skipped.join(', ')}.`] : []),
  ].join(' ')

const diagnosis = (exit: number) =>
  refusal<Diagnosis>({
    exit,
    message,
    fix: ({ problems, fix }) => fix ?? (problems.length === 1 ? problems[0]!.fix : undefined),
  })

/** Refusals because doctor found problems. The most serious problem decides the code. */
export const doctor = () => ({
  /** The database is damaged. */
  'doctor.damage': diagnosis(20),
  /** A setting is wrong. */
  'doctor.config': diagnosis(8),
  /** A file is missing, belongs to another user, or has the wrong mode. */
  'doctor.file': diagnosis(3),
  /** Rows of the database contradict each other. */
  'doctor.state': diagnosis(6),
})
