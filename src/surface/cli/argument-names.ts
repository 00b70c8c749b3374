import { type Failure, fail } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'

/**
 * If a problem is about one item of a list, its `path` is, for example, `depends.1` or `more.0`. Changes this path to
 * what the caller typed. An item of `depends` was given with `--depends`, so the path becomes that flag. An item of
 * `more` is a word without a flag, so the path becomes empty: the message already quotes the word.
 */
export const withArgumentNames = (failure: Failure, command: Command | undefined): Failure => {
  const { problems = [], moreProblems: more } = failure
  if (failure.code !== 'input.invalid' || !command) return failure
  const named = problems.map((each) => {
    const [key, place, ...inside] = each.path.split('.')
    const isItem = place !== undefined && inside.length === 0 && /^\d+$/.test(place)
    const flag = isItem ? command.flags.find((one) => one.key === key && one.kind !== 'rows') : undefined
    return flag ? { ...each, path: flag.at === undefined ? flag.name : '' } : each
  })
  if (named.every(({ path }, i) => path === problems[i]!.path)) return failure
  const { message, fix } = fail('input.invalid', { problems: named, ...(more && { more }) })
  return { ...failure, message, problems: named, ...(fix && { fix }) }
}
