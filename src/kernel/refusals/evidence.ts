import type { Problem } from '../result.ts'
import { entry, sentence } from './entry.ts'

/** What a task lacks to be done; the first of its problems decides the code. */
export interface Unfinished {
  id: string
  problems: Problem[]
}

const unfinished = {
  message: ({ id, problems }: Unfinished) =>
    problems.length === 1
      ? `${id} is not finished: ${sentence(problems[0]!)}`
      : `${id} is not finished: ${problems.map(({ path }) => path).join(', ')}`,
  fix: ({ problems }: Unfinished) => problems[0]?.fix,
}

/** A task is not finished, or what should prove it does not. */
export const evidence = () => ({
  'manifest.missing': entry<Unfinished>({ exit: 62, http: 409, retryable: true, ...unfinished }),
  'output.missing': entry<Unfinished>({ exit: 62, http: 409, retryable: true, ...unfinished }),
  'focus.unset': entry<Unfinished>({ exit: 38, http: 409, ...unfinished }),
  'evidence.missing': entry<Unfinished>({ exit: 40, http: 409, ...unfinished }),
  'evidence.stale': entry<Unfinished>({ exit: 46, http: 409, ...unfinished }),
  'gate.unmet': entry<Unfinished>({ exit: 45, http: 409, ...unfinished }),
  'entry.blocked': entry<Unfinished>({ exit: 6, http: 409, ...unfinished }),
  'evidence.invalid': entry<{ what: string; problems: Problem[]; fix?: string }>({
    exit: 41,
    http: 422,
    message: ({ what, problems }) =>
      problems.length === 1
        ? `This does not prove ${what}: ${problems[0]!.message}`
        : `This does not prove ${what}:`,
    fix: ({ problems, fix }) => fix ?? problems.find((problem) => problem.fix)?.fix,
  }),
  'gate.unknown': entry<{ gate: string; near?: string; id: string; known: readonly string[] }>({
    exit: 42,
    http: 404,
    message: ({ gate, near, known }) =>
      `There is no gate "${gate}".${near ? ` Did you mean ${near}?` : ` Gates: ${known.join(', ')}.`}`,
    fix: ({ id }) => `cleo verify ${id}`,
  }),
  'gate.hard': entry<{ id: string; gate: string; fix?: string }>({
    exit: 45,
    http: 409,
    message: ({ gate }) => `${gate} cannot be waived by anybody: it is proved or it is not.`,
    fix: ({ id, fix }) => fix ?? `cleo verify ${id}`,
  }),
  'criterion.not_found': entry<{ id: string; n: number; count: number }>({
    exit: 4,
    http: 404,
    message: ({ id, n, count }) =>
      `${id} has no criterion ${n}; ${count === 0 ? 'it has none' : `they go from 1 to ${count}`}.`,
    fix: ({ id }) => `cleo show ${id}`,
  }),
})
