import type { Problem } from '../result.ts'
import { entry, sentence } from './entry.ts'

export interface Ill {
  problems: Problem[]
  /** Checks whose findings were mended. */
  mended: string[]
  /** Checks that could not be asked. */
  skipped: string[]
  fix?: string
}

const ended = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const message = ({ problems, mended, skipped }: Ill): string =>
  [
    problems.length === 1 ? ended(sentence(problems[0]!)) : `${problems.length} things are wrong.`,
    ...(mended.length > 0 ? [`Mended: ${mended.join(', ')}.`] : []),
    ...(skipped.length > 0 ? [`Not looked at because of it: ${skipped.join(', ')}.`] : []),
  ].join(' ')

const ill = (exit: number, http: number) =>
  entry<Ill>({
    exit,
    http,
    message,
    fix: ({ problems, fix }) => fix ?? (problems.length === 1 ? problems[0]!.fix : undefined),
  })

/** A project that is not well; the gravest of what was found decides. */
export const doctor = () => ({
  /** The database is damaged. */
  'doctor.damage': ill(20, 500),
  /** A setting is wrong. */
  'doctor.config': ill(8, 500),
  /** A file is missing, not ours, or not as it should be. */
  'doctor.file': ill(3, 500),
  /** The rows contradict each other. */
  'doctor.state': ill(6, 409),
})
