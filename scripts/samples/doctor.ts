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
          '.cleo/config.json: "claim" is not a known field; did you mean "claims"? – every other command refuses to run until the file is corrected',
      },
    ],
  },
  'doctor.file': {
    ...nothing,
    problems: [
      {
        path: 'prompts',
        message:
          '.cleo/spawns/T012.1.md is missing or changed – an agent does not get the prompt that CLEO recorded for it',
      },
    ],
    fix: 'cleo doctor --fix',
  },
  'doctor.state': {
    ...nothing,
    problems: [
      {
        path: 'counts',
        message:
          'CLEO stored wrong counts for T012 (open dependencies: 1 instead of 0) – cleo ready lists such a task too early or never',
      },
    ],
    fix: 'cleo doctor --fix',
  },
}
