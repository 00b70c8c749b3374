import type { FileCheck } from './check.ts'
import { open } from './finding.ts'
import { isLocked } from './patient.ts'

export const configFile: FileCheck = {
  id: 'config',
  needs: 'files',
  asks: 'Is .cleo/config.json JSON, with keys that exist and values that fit?',
  look: (patient) =>
    patient.configFaults.map((fault) =>
      open({
        kind: isLocked(patient) ? 'file' : 'config',
        severity: 'error',
        what: `.cleo/config.json${fault.path ? `, ${fault.path}` : ''}: ${fault.message}`,
        why: 'every other command refuses until it is right',
        where: '.cleo/config.json',
        ...(fault.fix ? { fix: fault.fix } : { advice: 'Correct it in an editor' }),
      }),
    ),
}
