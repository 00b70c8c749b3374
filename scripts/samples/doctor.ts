import type { Samples } from '../error-page.ts'

const well = { mended: [], skipped: [] }

export const doctor: Samples = {
  'doctor.damage': {
    ...well,
    problems: [
      {
        path: 'database',
        message:
          '.cleo/cleo.db is damaged (Tree 4 page 9 cell 0: invalid page number) – what is read from it may be wrong, and what is written may be lost',
        fix: 'cleo restore --list',
      },
    ],
    skipped: ['counts'],
  },
  'doctor.config': {
    ...well,
    problems: [
      {
        path: 'config',
        message:
          '.cleo/config.json, claim: "claim" is not known here; did you mean "claims"? – every other command refuses until it is right',
      },
    ],
  },
  'doctor.file': {
    ...well,
    problems: [
      {
        path: 'prompts',
        message:
          'missing or changed: .cleo/spawns/T012.1.md – an agent that is sent there does not read what was handed out',
      },
    ],
    fix: 'cleo doctor --fix',
  },
  'doctor.state': {
    ...well,
    problems: [
      {
        path: 'counts',
        message:
          'counted wrongly: T012 (blockers 1 for 0) – work is offered that has to wait, or is never offered',
      },
    ],
    fix: 'cleo doctor --fix',
  },
}
