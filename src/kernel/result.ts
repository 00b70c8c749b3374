import { type Code, catalogue, type FactsOf } from './refusal-catalogue.ts'
import type { Problem as ProblemFacts, Refusal } from './refusals/refusal.ts'

export interface Page {
  total: number
  /** True if counting stopped at `total`; there may be more. */
  atLeast?: true
  limit: number
  next?: string
}

export interface Ok<T> {
  ok: true
  value: T
  page?: Page
  warnings?: string[]
  /** Titles of the tasks in the value, shown to people only; not part of the answer. */
  titles?: ReadonlyMap<string, string>
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
  problems?: Problem[]
  retryable: boolean
  /** Requirements that are already met, shown to people next to the problems; not part of the answer. */
  held?: readonly string[]
}

/** Operations return refusals instead of throwing them, so that the type lists every code they can return. */
export type Result<T, C extends Code = Code> = Ok<T> | Failure<C>

export const ok = <T>(value: T, more: Omit<Ok<T>, 'ok' | 'value'> = {}): Ok<T> => ({
  ok: true,
  value,
  ...more,
})

export const fail = <C extends Code>(code: C, facts: FactsOf<C>): Failure<C> => {
  const entry = catalogue()[code] as Refusal<unknown>
  const fix = entry.fix?.(facts)
  const alternatives = entry.alternatives?.(facts)
  const problems = (facts as { problems?: Problem[] }).problems
  return {
    ok: false,
    code,
    exit: entry.exit,
    message: entry.message(facts),
    ...(fix && { fix }),
    ...(alternatives?.length && { alternatives }),
    ...(problems && { problems }),
    retryable: entry.retryable ?? false,
  }
}

/** One problem with the input, and the path of the field that has it. */
export interface Fault<C extends Code = Code> {
  path: string
  failure: Failure<C>
}

/** Reports every fault at once; the first one decides the code and the exit. */
export const failAll = <C extends Code>(faults: [Fault<C>, ...Fault<C>[]]): Failure<C> => {
  const first = faults[0].failure
  if (faults.length === 1) return first
  const problems = problemsOf(faults)
  return { ...first, message: `The input has ${problems.length} problems.`, fix: undefined, problems }
}

export const problemsOf = (faults: readonly Fault[]): Problem[] =>
  faults.flatMap(
    ({ path, failure: { message, fix, code, problems } }) =>
      problems ?? [{ path, message, ...(fix && { fix }), code }],
  )

/** Carries a refusal out of code that cannot return one: database port and fence. Only `perform` catches it. */
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
