import { andMore, type Problem, type Problems, refusal } from './refusal.ts'

/** The first problem decides the refusal code. */
export interface UnfinishedTask extends Problems {
  id: string
}

const unfinished = {
  message: ({ id, problems, more }: UnfinishedTask) =>
    problems.length === 1
      ? `${id} is not finished: requirement "${problems[0]!.path}" is not met (${problems[0]!.message})`
      : `${id} is not finished: ${problems.length + (more ?? 0)} requirements are not met (${problems.map(({ path }) => path).join(', ')}${andMore(more)})`,
  fix: ({ problems }: UnfinishedTask) => problems[0]?.fix,
}

/** Refusals to complete a task: something is missing, or evidence is invalid. */
export const evidence = () => ({
  'manifest.missing': refusal<UnfinishedTask>({ exit: 62, ...unfinished }),
  'output.missing': refusal<UnfinishedTask>({ exit: 62, ...unfinished }),
  'focus.unset': refusal<UnfinishedTask>({ exit: 38, ...unfinished }),
  'vote.missing': refusal<UnfinishedTask>({ exit: 60, ...unfinished }),
  'rule.broken': refusal<UnfinishedTask>({ exit: 60, ...unfinished }),
  'evidence.missing': refusal<UnfinishedTask>({ exit: 40, ...unfinished }),
  'evidence.stale': refusal<UnfinishedTask>({ exit: 46, ...unfinished }),
  'gate.unmet': refusal<UnfinishedTask>({ exit: 45, ...unfinished }),
  'entry.blocked': refusal<UnfinishedTask>({ exit: 6, ...unfinished }),
  'evidence.invalid': refusal<{
    what: string
    problems: Problem[]
    fix?: string
    /** Ids of the questions that a person has to answer first. */
    questions?: readonly string[]
    /** The epic whose merged work has not landed yet and is therefore missing in the caller's folder. */
    unlanded?: string
  }>({
    exit: 41,
    message: ({ what, problems }) =>
      problems.length === 1
        ? `The evidence does not prove ${what}: ${problems[0]!.message}`
        : `The evidence does not prove ${what}:`,
    fix: ({ problems, fix }) => fix ?? problems.find((problem) => problem.fix)?.fix,
    alternatives: ({ questions = [], unlanded }) => [
      ...questions.map((id) => `A person can answer question ${id}: cleo inbox`),
      ...(unlanded ? [`To bring the merged work of ${unlanded} here: cleo land ${unlanded}`] : []),
    ],
  }),
  'gate.unknown': refusal<{ gate: string; near?: string; id: string; known: readonly string[] }>({
    exit: 42,
    message: ({ gate, near, known }) =>
      `There is no gate "${gate}".${near ? ` Did you mean ${near}?` : ` Gates: ${known.join(', ')}.`}`,
    fix: ({ id }) => `cleo verify ${id}`,
  }),
  'criterion.not_found': refusal<{ id: string; n: number; count: number }>({
    exit: 4,
    message: ({ id, n, count }) =>
      `${id} has no criterion ${n}; ${count === 0 ? 'it has no criteria' : `its criteria are 1 to ${count}`}.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
})
