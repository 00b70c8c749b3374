import type { Problem } from '../result.ts'
import { shellQuote } from '../shell-quote.ts'
import { entry, sentence } from './entry.ts'

export interface Missing {
  name: string
  near?: string
}

const missing = (word: string, command: string) => ({
  message: ({ name, near }: Missing) =>
    `There is no ${word} "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
  fix: ({ near }: Missing) => (near ? `${command} show ${shellQuote(near)}` : `${command} list`),
})

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Skills and agent files that are not there, or not as they should be. */
export const skills = () => ({
  'skill.not_found': entry<Missing>({ exit: 4, http: 404, ...missing('skill', 'cleo skills') }),
  /** Asked for to be put into a prompt. */
  'skill.missing': entry<Missing>({ exit: 6, http: 422, ...missing('skill', 'cleo skills') }),
  'agent.unknown': entry<Missing>({ exit: 4, http: 404, ...missing('agent', 'cleo agent') }),
  'content.invalid': entry<{ errors: number; warnings: number; problems: Problem[] }>({
    exit: 6,
    http: 422,
    message: ({ errors, warnings, problems }) =>
      problems.length === 1
        ? sentence(problems[0]!)
        : `${counted(errors, 'error')}${warnings > 0 ? `, ${counted(warnings, 'warning')}` : ''}.`,
  }),
})
