import type { Problem } from '../result.ts'
import { entry, sentence } from './entry.ts'

export interface Unhealthy {
  problems: Problem[]
  /** Checks whose findings were fixed. */
  mended: string[]
  /** Checks that could not run. */
  skipped: string[]
  fix?: string
}

const ended = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const message = ({ problems, mended, skipped }: Unhealthy): string =>
  [
    problems.length === 1 ? ended(sentence(problems[0]!)) : `${problems.length} faults.`,
    ...(mended.length > 0 ? [`Fixed: ${mended.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Not checked because of it: ${skipped.join(', ')}.`] : []),
  ].join(' ')

const unhealthy = (exit: number, http: number) =>
  entry<Unhealthy>({
    exit,
    http,
    message,
    fix: ({ problems, fix }) => fix ?? (problems.length === 1 ? problems[0]!.fix : undefined),
  })

/** Faults of a project; the gravest decides the code. */
export const doctor = () => ({
  /** The database is damaged. */
  'doctor.damage': unhealthy(20, 500),
  /** A setting is wrong. */
  'doctor.config': unhealthy(8, 500),
  /** A file is missing, not CLEO's, or wrong. */
  'doctor.file': unhealthy(3, 500),
  /** The rows contradict each other. */
  'doctor.state': unhealthy(6, 409),
})
