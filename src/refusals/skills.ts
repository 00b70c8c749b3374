import { shellQuote } from '../print/shell-quote.ts'
import { type Problem, problemSentence, refusal } from './refusal.ts'

export interface MissingSkill {
  name: string
  near?: string
  /** The folder of a skill that exists but cannot be loaded, and the reason, which begins with a path. */
  broken?: { folder: string; why: string }
}

const missing = (word: string, command: string) => ({
  message: ({ name, near, broken }: MissingSkill) =>
    broken
      ? `The ${word} "${name}" cannot be loaded: ${broken.why}.`
      : `There is no ${word} "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
  fix: ({ near, broken }: MissingSkill) =>
    broken
      ? `${command} validate ${shellQuote(broken.folder)}`
      : near
        ? `${command} show ${shellQuote(near)}`
        : `${command} list`,
})

export interface InvalidContent {
  errors: number
  warnings: number
  /** One page of the problems, errors first. */
  problems: Problem[]
  /** The number and kind of checked files: `948 skills`. */
  checked?: string
  next?: string
}

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

export const skills = () => ({
  'trust.changed': refusal<object>({
    exit: 6,
    message: () => 'Nothing was trusted: some items have changed since cleo trust printed this digest.',
    fix: () => 'cleo trust',
  }),
  'skill.not_found': refusal<MissingSkill>({ exit: 4, ...missing('skill', 'cleo skills') }),
  /** Used instead of `skill.not_found` if a prompt needs the skill. */
  'skill.missing': refusal<MissingSkill>({ exit: 6, ...missing('skill', 'cleo skills') }),
  'agent.unknown': refusal<MissingSkill>({ exit: 4, ...missing('agent', 'cleo agent') }),
  'content.invalid': refusal<InvalidContent>({
    exit: 6,
    message: ({ errors, warnings, problems, checked }) =>
      errors + warnings === 1 && problems[0]
        ? problemSentence(problems[0])
        : `${checked ? `Checked ${checked}: ` : 'Found '}${counted(errors, 'error')}${warnings > 0 ? ` and ${counted(warnings, 'warning')}` : ''}.`,
    fix: ({ next }) => next,
  }),
})
