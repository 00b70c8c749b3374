import { exitRank } from '../kernel/exit-order.ts'
import { type Failure, fail, ok, type Problem, Refused, type Result } from '../kernel/result.ts'
import type { Code } from '../refusals/refusal-catalogue.ts'

/** Each task has the answer that a command for this task alone would give. */
export interface Several<T> {
  tasks: T[]
}

/**
 * A task gets these refusals because a dependency or a child is open. If the same command also closes that dependency
 * or that child, a later try can succeed.
 */
const waitsForOthers: readonly Code[] = ['dependency.open', 'children.open']

/**
 * Calls the function `one` for each task, all in one transaction. A refusal rolls the transaction back. If a task waits
 * for another task of the command, tries the waiting task again later. For a single task, returns the answer of `one`
 * unchanged. For several tasks, returns a list.
 */
export const forEachTask = async <T, C extends Code>(
  id: string,
  more: readonly string[] | undefined,
  one: (id: string) => Promise<Result<T, C>>,
): Promise<Result<T | Several<T>, C>> => {
  if (!more || more.length === 0) return one(id)
  const ids = [...new Set([id, ...more])]
  const answers = new Map<string, Result<T, C>>()
  for (let left = ids; left.length > 0; ) {
    for (const each of left) answers.set(each, await returned(one, each))
    const waiting = left.filter((each) => mayPassLater(answers.get(each)!))
    left = waiting.length < left.length ? waiting : []
  }
  const values: T[] = []
  const warnings: string[] = []
  const refused: [string, Failure<C>][] = []
  for (const each of ids) {
    const answer = answers.get(each)!
    if (answer.ok) values.push(answer.value)
    else refused.push([each, answer])
    for (const warning of answer.warnings ?? [])
      warnings.push(warning.includes(each) ? warning : `${each}: ${warning}`)
  }
  const all = warnings.length > 0 ? { warnings } : {}
  return refused.length > 0 ? { ...refusalOf(refused, ids.length), ...all } : ok({ tasks: values }, all)
}

const mayPassLater = (answer: Result<unknown>): boolean => !answer.ok && waitsForOthers.includes(answer.code)

const thrownForOne: readonly Code[] = ['task.foreign', 'task.contract', 'claim.lost']

// Some refusals about a single task are thrown. Return them instead, so that the other tasks are reported too.
const returned = async <T, C extends Code>(
  one: (id: string) => Promise<Result<T, C>>,
  id: string,
): Promise<Result<T, C>> => {
  try {
    return await one(id)
  } catch (error) {
    if (error instanceof Refused && thrownForOne.includes(error.failure.code))
      return error.failure as Failure<C>
    throw error
  }
}

/**
 * Makes one refusal with the reasons of all refused tasks. Its code and its exit come from the refusal that is first by
 * `exitRank`.
 */
const refusalOf = <C extends Code>(refused: readonly [string, Failure<C>][], count: number): Failure<C> => {
  const first = refused
    .map(([, failure]) => failure)
    .toSorted((a, b) => exitRank(a.exit) - exitRank(b.exit))[0]!
  const problems = refused.flatMap(([id, { message, fix, code, problems }]): Problem[] =>
    problems
      ? problems.map((each) => ({ ...each, path: `${id} ${each.path}`.trim() }))
      : [{ path: id, message, ...(fix && { fix }), code }],
  )
  const ids = refused.map(([id]) => id)
  const all = fail('several.refused', { ids, count, problems })
  return {
    ...all,
    code: first.code,
    exit: first.exit,
    retryable: refused.every(([, each]) => each.retryable),
  }
}
