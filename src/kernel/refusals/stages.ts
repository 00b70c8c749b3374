import { listIds } from '../print/id-list.ts'
import { refusal } from './refusal.ts'

/** Refusals about stages, votes, memories and questions to a person. */
export const stages = () => ({
  'stages.off': refusal<{ epic: string }>({
    exit: 6,
    message: () => 'Stages are turned off in this project.',
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
    alternatives: () => ['Remove `"stages": false` from .cleo/config.json to use them.'],
  }),
  'stage.open': refusal<{ epic: string; stage: string; open: string[] }>({
    exit: 80,
    message: ({ epic, stage, open }) =>
      `${epic} cannot leave ${stage}: ${listIds(open)} ${open.length === 1 ? 'is' : 'are'} open.`,
    fix: ({ epic }) => `cleo orchestrate next --epic ${epic}`,
  }),
  'stage.empty': refusal<{ epic: string; stage: string; skippable: boolean; command: string }>({
    exit: 80,
    message: ({ epic, stage }) =>
      `${epic} has no finished task in the ${stage} stage; to leave the stage anyway, give a reason.`,
    fix: ({ epic, skippable, command }) =>
      skippable
        ? `cleo lifecycle skip ${epic} --reason "why it is not needed"`
        : `${command} --reason "where this was done"`,
  }),
  'stage.needs': refusal<{ epic: string; to: string; missing: string[] }>({
    exit: 80,
    message: ({ epic, to, missing }) => `${epic} cannot move to ${to} before ${missing.join(', ')}.`,
    fix: ({ epic }) => `cleo lifecycle show ${epic}`,
  }),
  'stage.loops': refusal<{ epic: string; times: number; question?: string }>({
    exit: 64,
    message: ({ epic, times, question }) =>
      `${epic} went back from testing ${times} times; only a person may allow another round${question ? ` (${question})` : ''}.`,
    fix: () => 'cleo inbox',
  }),
  'stage.unskippable': refusal<{ epic: string; stage: string }>({
    exit: 6,
    message: ({ epic, stage }) =>
      `${epic} is at ${stage}, which cannot be skipped; only consensus, architecture-decision and release can.`,
    fix: ({ epic }) => `cleo lifecycle advance ${epic}`,
  }),
  'consensus.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no consensus ${id}.`,
    fix: () => 'cleo consensus open --help',
  }),
  'consensus.over': refusal<{ id: string; why: string }>({
    exit: 6,
    message: ({ id, why }) => `${id} ${why}.`,
    fix: ({ id }) => `cleo consensus tally ${id}`,
  }),
  'consensus.unvoted': refusal<{ id: string }>({
    exit: 6,
    message: ({ id }) => `${id} cannot get another round: fewer than two voters have voted in this one.`,
    fix: () => 'cleo consensus vote --help',
  }),
  'memory.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no memory ${id}.`,
    fix: () => 'cleo memory find',
  }),
  'question.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no question ${id}.`,
    fix: () => 'cleo inbox',
  }),
  'question.answered': refusal<{ id: string; by: string; answer: string }>({
    exit: 6,
    message: ({ id, by, answer }) => `${id} was already answered by ${by}: ${answer}.`,
    fix: () => 'cleo inbox',
  }),
})
