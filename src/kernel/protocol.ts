import { qualityTools, type Tool } from './config-words.ts'
import type { Stage } from './task.ts'

export const protocols = [
  'research',
  'consensus',
  'specification',
  'decomposition',
  'implementation',
  'contribution',
  'release',
] as const
export type Protocol = (typeof protocols)[number]

export const gates = [
  'implemented',
  'testsPassed',
  'qaPassed',
  'cleanupDone',
  'securityPassed',
  'documented',
] as const
export type Gate = (typeof gates)[number]

/** The tools that can prove each gate. For example, a linter cannot prove that tests passed. */
export const toolsFor: Readonly<Partial<Record<Gate, readonly Tool[]>>> = {
  testsPassed: ['test'],
  qaPassed: qualityTools,
  securityPassed: ['audit'],
}

interface Contract {
  /** `agent_type` of the manifest entry. */
  agentType: string
  /** The first word of the return line. */
  word: string
  gates: readonly Gate[]
}

export const contracts: Readonly<Record<Protocol, Contract>> = {
  research: { agentType: 'research', word: 'Research', gates: ['documented'] },
  consensus: { agentType: 'analysis', word: 'Consensus', gates: ['documented'] },
  specification: { agentType: 'specification', word: 'Specification', gates: ['documented'] },
  decomposition: { agentType: 'decomposition', word: 'Decomposition', gates: ['documented'] },
  implementation: {
    agentType: 'implementation',
    word: 'Implementation',
    gates: ['implemented', 'testsPassed', 'qaPassed'],
  },
  contribution: { agentType: 'contribution', word: 'Contribution', gates: ['documented'] },
  release: { agentType: 'release', word: 'Release', gates: ['testsPassed', 'documented'] },
}

interface StageWork {
  protocol: Protocol
  skill: string
  /** First word of the return line, if it differs from the protocol's word. */
  word?: string
  /** Required gates, if they differ from the protocol's gates. */
  gates?: readonly Gate[]
}

export const stageWork: Readonly<Record<Stage, StageWork>> = {
  research: { protocol: 'research', skill: 'ct-research-agent' },
  consensus: { protocol: 'consensus', skill: 'ct-consensus-voter' },
  'architecture-decision': { protocol: 'specification', skill: 'ct-adr-recorder', word: 'Design' },
  specification: { protocol: 'specification', skill: 'ct-spec-writer' },
  decomposition: { protocol: 'decomposition', skill: 'ct-epic-architect' },
  implementation: { protocol: 'implementation', skill: 'ct-task-executor' },
  validation: {
    protocol: 'implementation',
    skill: 'ct-validator',
    word: 'Validation',
    gates: ['documented', 'qaPassed'],
  },
  testing: {
    protocol: 'implementation',
    skill: 'ct-test-runner',
    word: 'Testing',
    gates: ['testsPassed', 'documented'],
  },
  release: { protocol: 'release', skill: 'ct-release' },
  contribution: { protocol: 'contribution', skill: 'ct-contribution' },
}
