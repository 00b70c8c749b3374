import type { Samples } from '../error-page.ts'

const nothing = { fixed: [], skipped: [] }

export const doctor: Samples = {
  'doctor.damage': {
    ...nothing,
    problems: [
      {
        path: 'database',
        message:
          '.cleo/cleo.db is damaged (Tree 4 page 9 cell 0: invalid page number) – reads may be wrong and writes may be lost',
        fix: 'cleo restore --list',
      },
    ],
    skipped: ['counts'],
  },
  'doctor.config': {
    ...nothing,
    problems: [
      {
        path: 'config',
        message:
          '.cleo/config.json, claim: "claim" is not a known field; did you mean "claims"? – every other command refuses to run until it is corrected',
      },
    ],
  },
  'doctor.file': {
    ...nothing,
    problems: [
      {
        path: 'prompts',
        message:
          'missing or changed prompt files: .cleo/spawns/T012.1.md – an agent that starts with such a file does not get the instructions that CLEO recorded',
      },
    ],
    fix: 'cleo doctor --fix',
  },
  'doctor.state': {
    ...nothing,
    problems: [
      {
        path: 'counts',
        message: 'wrong counts: T012 (blockers 1 instead of 0) – cleo ready lists tasks too early, or never',
      },
    ],
    fix: 'cleo doctor --fix',
  },
}
