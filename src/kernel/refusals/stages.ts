import { names } from '../names.ts'
import { entry } from './entry.ts'

/** Stages, votes, memories and questions to a person. */
export const stages = () => ({
  'stages.off': entry<{ epic: string }>({
    exit: 6,
    http: 409,
    message: () => 'This project has its stages switched off.',
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
    alternatives: () => ['Take `"stages": false` out of .cleo/config.json to use them.'],
  }),
  'stage.open': entry<{ epic: string; stage: string; open: string[] }>({
    exit: 80,
    http: 409,
    message: ({ epic, stage, open }) =>
      `${epic} stays at ${stage}: ${names(open)} ${open.length === 1 ? 'is' : 'are'} open.`,
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
  }),
  'stage.empty': entry<{ epic: string; stage: string; skippable: boolean; command: string }>({
    exit: 80,
    http: 409,
    message: ({ epic, stage }) => `${epic} has no done task at ${stage}; leaving it takes a reason.`,
    fix: ({ epic, skippable, command }) =>
      skippable
        ? `cleo lifecycle skip ${epic} --reason "why it is not needed"`
        : `${command} --reason "where this was done"`,
  }),
  'stage.needs': entry<{ epic: string; to: string; missing: string[] }>({
    exit: 80,
    http: 409,
    message: ({ epic, to, missing }) => `${epic} cannot go to ${to} yet: it needs ${missing.join(', ')}.`,
    fix: ({ epic }) => `cleo lifecycle show ${epic}`,
  }),
  'stage.loops': entry<{ epic: string; times: number; question?: string }>({
    exit: 64,
    http: 403,
    message: ({ epic, times, question }) =>
      `${epic} went back from testing ${times} times; a person decides whether once more${question ? ` (${question})` : ''}.`,
    fix: () => 'cleo inbox',
  }),
  'stage.unskippable': entry<{ epic: string; stage: string }>({
    exit: 6,
    http: 409,
    message: ({ epic, stage }) =>
      `${epic} is at ${stage}, which may not be skipped; only consensus, architecture-decision and release may.`,
    fix: ({ epic }) => `cleo lifecycle advance ${epic}`,
  }),
  'consensus.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no consensus ${id}.`,
    fix: () => 'cleo consensus open --help',
  }),
  'consensus.over': entry<{ id: string; why: string }>({
    exit: 6,
    http: 409,
    message: ({ id, why }) => `${id} ${why}.`,
    fix: ({ id }) => `cleo consensus tally ${id}`,
  }),
  'memory.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no memory ${id}.`,
    fix: () => 'cleo memory find',
  }),
  'question.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no question ${id}.`,
    fix: () => 'cleo inbox',
  }),
  'question.answered': entry<{ id: string; by: string; answer: string }>({
    exit: 6,
    http: 409,
    message: ({ id, by, answer }) => `${id} was answered by ${by}: ${answer}.`,
    fix: () => 'cleo inbox',
  }),
})
