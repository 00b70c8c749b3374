import { type Failure, fail } from '../../kernel/result.ts'
import type { Command } from '../../operation/command-table.ts'

/**
 * Names a wrong item of a list by what the caller typed. The input of an operation names it by the list and its place,
 * such as `more.0` or `depends.1`. People know neither: the first is a word of the command line, so its message alone
 * says enough; the second is a value of `--depends`.
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
