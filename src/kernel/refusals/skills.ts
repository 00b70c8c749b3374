import { shellQuote } from '../print/shell-quote.ts'
import { type Problem, problemSentence, refusal } from './refusal.ts'

export interface MissingSkill {
  name: string
  near?: string
}

const missing = (word: string, command: string) => ({
  message: ({ name, near }: MissingSkill) =>
    `There is no ${word} "${name}".${near ? ` Did you mean "${near}"?` : ''}`,
  fix: ({ near }: MissingSkill) => (near ? `${command} show ${shellQuote(near)}` : `${command} list`),
})

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`

/** Refusals because a skill or an agent file is missing or invalid. */
export const skills = () => ({
  'trust.changed': refusal<object>({
    exit: 6,
    message: () => 'What needs trust has changed since it was printed. Nothing was trusted.',
    fix: () => 'cleo trust',
  }),
  'skill.not_found': refusal<MissingSkill>({ exit: 4, ...missing('skill', 'cleo skills') }),
  /** For a skill that a prompt should have included. */
  'skill.missing': refusal<MissingSkill>({ exit: 6, ...missing('skill', 'cleo skills') }),
  'agent.unknown': refusal<MissingSkill>({ exit: 4, ...missing('agent', 'cleo agent') }),
  'content.invalid': refusal<{ errors: number; warnings: number; problems: Problem[] }>({
    exit: 6,
    message: ({ errors, warnings, problems }) =>
      problems.length === 1
        ? problemSentence(problems[0]!)
        : `Found ${counted(errors, 'error')}${warnings > 0 ? ` and ${counted(warnings, 'warning')}` : ''}.`,
  }),
})
