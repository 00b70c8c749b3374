import type { Samples } from '../error-page.ts'

export const stages: Samples = {
  'stages.off': { epic: 'T001' },
  'stage.open': { epic: 'T001', stage: 'research', open: ['T002', 'T003'] },
  'stage.empty': {
    epic: 'T001',
    stage: 'research',
    skippable: false,
    command: 'cleo lifecycle advance T001',
  },
  'stage.needs': { epic: 'T001', to: 'implementation', missing: ['specification', 'decomposition'] },
  'lifecycle.none': { epic: 'T001' },
  'lifecycle.started': { epic: 'T001', stage: 'research', to: 'implementation' },
  'stage.loops': { epic: 'T001', times: 5, question: 'Q3' },
  'stage.unskippable': { epic: 'T001', stage: 'research' },
  'consensus.not_found': { id: 'C9' },
  'consensus.none': { task: 'T012' },
  'consensus.several': { task: 'T012', ids: ['C1', 'C2'] },
  'consensus.voter': { id: 'C1', actor: 'ada', tasks: ['T013', 'T014', 'T015'], spawns: ['T013.1'] },
  'consensus.over': { id: 'C1', why: 'was decided by ada' },
  'consensus.unvoted': { id: 'C1' },
  'memory.not_found': { id: 'M99' },
  'question.not_found': { id: 'Q9' },
  'question.answered': { id: 'Q3', by: 'ada', answer: 'yes' },
}
