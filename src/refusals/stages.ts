import { listIds } from '../print/id-list.ts'
import { refusal } from './refusal.ts'

/** Refusals about stages, votes, memories and questions to a person. */
export const stages = () => ({
  'stages.off': refusal<{ epic: string }>({
    exit: 6,
    message: () => 'Stages are turned off in this project.',
    fix: ({ epic }) => `cleo next ${epic}`,
    alternatives: () => ['To turn stages on, remove `"stages": false` from .cleo/config.json.'],
  }),
  'stage.open': refusal<{ epic: string; stage: string; open: string[] }>({
    exit: 80,
    message: ({ epic, stage, open }) =>
      `${epic} cannot leave the ${stage} stage: ${listIds(open)} ${open.length === 1 ? 'is' : 'are'} open.`,
    fix: ({ epic }) => `cleo next ${epic}`,
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
    message: ({ epic, to, missing }) =>
      `${epic} cannot move to ${to} without a reason, because it would skip unfinished stages: ${missing.join(', ')}.`,
    fix: ({ epic, to }) => `cleo lifecycle advance ${epic} --to ${to} --reason "where this was done"`,
  }),
  'lifecycle.none': refusal<{ epic: string }>({
    exit: 6,
    message: ({ epic }) => `The lifecycle of ${epic} was never started, so ${epic} has no stage to change.`,
    fix: ({ epic }) => `cleo lifecycle start ${epic}`,
  }),
  'lifecycle.started': refusal<{ epic: string; stage: string; to: string }>({
    exit: 6,
    message: ({ epic, stage }) =>
      `The lifecycle of ${epic} was already started. ${epic} is at the ${stage} stage.`,
    fix: ({ epic }) => `cleo lifecycle show ${epic}`,
    alternatives: ({ epic, to }) => [`To move it: cleo lifecycle advance ${epic} --to ${to} --reason "…"`],
  }),
  'stage.loops': refusal<{ epic: string; times: number; question?: string }>({
    exit: 64,
    message: ({ epic, times, question }) =>
      `${epic} has gone back from the testing stage ${times} times. Only a person may send it back again${question ? ` (question ${question} in the inbox)` : ''}.`,
    fix: () => 'cleo inbox',
  }),
  'stage.unskippable': refusal<{ epic: string; stage: string }>({
    exit: 6,
    message: ({ epic, stage }) =>
      `${epic} is at the ${stage} stage. Only the stages consensus, architecture-decision and release can be skipped.`,
    fix: ({ epic }) => `cleo lifecycle advance ${epic}`,
  }),
  'consensus.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no consensus ${id}.`,
    fix: () => 'cleo consensus list',
  }),
  'consensus.none': refusal<{ task: string }>({
    exit: 4,
    message: ({ task }) => `${task} has no consensus and is not the task of a voter.`,
    fix: ({ task }) => `cleo consensus open ${task} --question "…" --option "…" --option "…" --voters 3`,
  }),
  'consensus.several': refusal<{ task: string; ids: string[] }>({
    exit: 6,
    message: ({ task, ids }) => `${task} has more than one consensus: ${listIds(ids)}. Name one of them.`,
    fix: () => 'cleo consensus list',
  }),
  'consensus.voter': refusal<{ id: string; actor: string; tasks: string[]; spawns: string[] }>({
    exit: 6,
    message: ({ id, actor, tasks }) =>
      `${actor} is not a voter of ${id}: only the spawns of ${listIds(tasks)} vote in this round.`,
    fix: ({ id }) => `cleo consensus tally ${id}`,
    alternatives: ({ spawns }) => spawns.map((spawn) => `If you are ${spawn}, add --as ${spawn}.`),
  }),
  'consensus.over': refusal<{ id: string; why: string }>({
    exit: 6,
    message: ({ id, why }) => `${id} ${why}. Nothing was changed.`,
    fix: ({ id }) => `cleo consensus tally ${id}`,
  }),
  'consensus.unvoted': refusal<{ id: string; waiting?: string[] }>({
    exit: 6,
    message: ({ id, waiting }) =>
      `${id} cannot get another round: ${waiting ? `${listIds(waiting)} ${waiting.length === 1 ? 'has' : 'have'} not` : 'fewer than two voters have'} voted in the current round.`,
    fix: ({ waiting }) => (waiting ? `cleo show ${waiting[0]}` : 'cleo consensus vote --help'),
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
  'question.unanswerable': refusal<{ id: string; why: string; fix: string }>({
    exit: 6,
    message: ({ id, why }) => `${id} cannot be answered with yes: ${why}. The question is still open.`,
    fix: ({ fix }) => fix,
    alternatives: ({ id }) => [`To answer no: cleo inbox answer ${id} --no`],
  }),
  'question.answered': refusal<{ id: string; by: string; answer: string }>({
    exit: 6,
    message: ({ id, by, answer }) => `${id} was already answered by ${by}: ${answer}.`,
    fix: () => 'cleo inbox',
  }),
})
