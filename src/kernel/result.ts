import type { Problem as ProblemFacts, Problems, Refusal } from '../refusals/refusal.ts'
import { type Code, catalogue, type FactsOf } from '../refusals/refusal-catalogue.ts'
import { mostProblems } from './input-limits.ts'

export interface Page {
  total: number
  /** True if counting stopped at `total`, so that there may be more. */
  atLeast?: true
  limit: number
  next?: string
}

export interface Ok<T> {
  ok: true
  value: T
  page?: Page
  warnings?: string[]
  /** The exit status, if some parts of the command were refused. `value` says which parts. */
  exit?: number
  /** Titles of the tasks in the value. Shown to people only; not part of the answer. */
  titles?: ReadonlyMap<string, string>
  /** For each task of a list, what it waits on or who works on it. Shown to people only; not part of the answer. */
  notes?: ReadonlyMap<string, string>
}

export interface Problem extends ProblemFacts {
  code?: Code
}

export interface Failure<C extends Code = Code> {
  ok: false
  code: C
  exit: number
  message: string
  fix?: string
  alternatives?: string[]
  /** At most `mostProblems`. */
  problems?: Problem[]
  moreProblems?: number
  retryable: boolean
  /** Shown beside the refusal, like the warnings of a successful answer. */
  warnings?: string[]
  /** Requirements that are already met. Shown to people beside the problems; not part of the answer. */
  held?: readonly string[]
  /** Every checked rule, if the refusal is about rules and the caller asked for all rules. */
  rules?: readonly RuleResult[]
}

export interface RuleResult {
  id: string
  result: 'pass' | 'fail' | 'warning' | 'na'
  fact: string
}

/** Refusals are returned instead of thrown, so that the type lists every code that an operation can return. */
export type Result<T, C extends Code = Code> = Ok<T> | Failure<C>

export const ok = <T>(value: T, more: Omit<Ok<T>, 'ok' | 'value'> = {}): Ok<T> => ({
  ok: true,
  value,
  ...more,
})

/** Cuts long texts and drops problems beyond the limit, so that the surfaces need no limits of their own. */
export const fail = <C extends Code>(code: C, given: FactsOf<C>): Failure<C> => {
  const entry = catalogue()[code] as Refusal<unknown>
  const facts = withFirstProblems(given as object)
  const fix = entry.fix?.(facts)
  const alternatives = entry.alternatives?.(facts)
  const { problems, more } = facts as Partial<Problems>
  return {
    ok: false,
    code,
    exit: entry.exit,
    message: cut(entry.message(facts), 8000),
    ...(fix && { fix: cut(fix, 8000) }),
    ...(alternatives?.length && { alternatives }),
    ...(problems && { problems }),
    ...(more && { moreProblems: more }),
    retryable: entry.retryable ?? false,
  }
}

const withFirstProblems = (facts: object): object => {
  const { problems, more = 0 } = facts as Partial<Problems>
  if (!problems) return facts
  const shown: Problem[] = []
  for (const problem of problems.slice(0, mostProblems))
    shown.push({ ...problem, path: cut(problem.path, 200), message: cut(problem.message, 2000) })
  const left = problems.length - shown.length + more
  return { ...facts, problems: shown, more: left > 0 ? left : undefined }
}

/** Shortens a text of a refusal, because the text can quote a long input. */
const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()} … (${text.length} characters)` : text

export interface Fault<C extends Code = Code> {
  path: string
  failure: Failure<C>
}

/** Reports every fault at once; the first one decides the code and the exit. */
export const failAll = <C extends Code>(faults: [Fault<C>, ...Fault<C>[]]): Failure<C> => {
  const first = faults[0].failure
  if (faults.length === 1) return first
  const problems = problemsOf(faults)
  let more = 0
  for (const { failure } of faults) more += failure.moreProblems ?? 0
  const { message, problems: shown, moreProblems } = fail('input.invalid', { problems, more })
  return { ...first, message, fix: undefined, problems: shown, ...(moreProblems && { moreProblems }) }
}

export const problemsOf = (faults: readonly Fault[]): Problem[] =>
  faults.flatMap(
    ({ path, failure: { message, fix, code, problems } }) =>
      problems ?? [{ path, message, ...(fix && { fix }), code }],
  )

/**
 * Carries a refusal out of code that cannot return one, such as the database port and the fence. `perform` catches
 * this exception and returns the refusal as the answer.
 */
export class Refused extends Error {
  readonly failure: Failure
  constructor(failure: Failure) {
    super(failure.message)
    this.failure = failure
  }
}

export const refuse = <C extends Code>(code: C, facts: FactsOf<C>): never => {
  throw new Refused(fail(code, facts))
}
