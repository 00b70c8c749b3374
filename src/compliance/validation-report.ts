import * as v from 'valibot'
import { fail, ok, type Page, type Result, type RuleResult } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { listIds } from '../print/id-list.ts'
import { type CheckedTask, codeOf, failedIn } from './check-task.ts'
import type { CheckedRule } from './rules/check-rules.ts'

const results = ['pass', 'fail', 'warning', 'na'] as const

export const validationShape = () =>
  v.object({
    id: v.optional(v.string()),
    epic: v.optional(v.string()),
    valid: v.literal(true),
    spawnId: v.optional(v.string()),
    protocol: v.optional(v.string()),
    /** The rules that failed or warned; with `all`, every rule. Set only if one task was checked. */
    rules: v.optional(v.array(v.object({ id: v.string(), result: v.picklist(results), fact: v.string() }))),
    /** The tasks with warnings; with `all`, every task. Set only if several tasks were checked and no rule failed. */
    tasks: v.optional(
      v.array(
        v.object({
          id: v.string(),
          valid: v.boolean(),
          /** The rules with the result `fail`. */
          failed: v.array(v.string()),
          /** The rules with the result `warning`. */
          warned: v.optional(v.array(v.string())),
        }),
      ),
    ),
    /** The spawns that have not returned yet. Set only if several tasks were checked. */
    out: v.optional(v.array(v.string())),
    /** For one task: the number of rules by result. For several tasks: the number of tasks by result. */
    counts: v.record(v.string(), v.number()),
  })
export type ValidationReport = v.InferOutput<ReturnType<typeof validationShape>>

type ValidateResult = Result<ValidationReport, ReturnType<typeof codeOf>>

export const reportTask = (checked: CheckedTask, all: boolean): ValidateResult => {
  const { id, spawn, protocol, rules, promises } = checked
  const reported = all ? rules : rules.filter(({ result }) => result === 'fail' || result === 'warning')
  const broken = failedIn(checked).length
  if (broken === 0)
    return ok(
      {
        id,
        valid: true,
        spawnId: spawn,
        protocol,
        rules: reported.map(plainRule),
        counts: countBy(rules),
      },
      { warnings: promises },
    )
  // BASE-003 (the task must be completed) comes last, because a task cannot be completed while another rule is
  // broken.
  const failures = rules
    .filter(({ result }) => result === 'fail')
    .toSorted((a, b) => Number(a.id === 'BASE-003') - Number(b.id === 'BASE-003'))
  const failure = fail(codeOf([checked]), {
    id,
    broken,
    of: rules.length,
    problems: failures.map(({ id, fact, fix }) => ({ path: id, message: fact, ...(fix && { fix }) })),
  })
  if (all)
    return { ...failure, rules: rules.map(plainRule), ...(promises.length > 0 && { warnings: promises }) }
  const warned = rules.filter(({ result }) => result === 'warning').map(({ id, fact }) => `${id}: ${fact}`)
  const held = rules.filter(({ result }) => result === 'pass').map(({ id }) => id)
  return { ...failure, held, warnings: [...warned, ...promises] }
}

const plainRule = ({ id, result, fact }: CheckedRule): RuleResult => ({ id, result, fact })

const countBy = (rules: readonly CheckedRule[]): Record<string, number> =>
  Object.fromEntries(results.map((result) => [result, rules.filter((rule) => rule.result === result).length]))

interface ManyOptions {
  root: string | undefined
  all: boolean
  /** The spawns that have not returned yet. They were not checked. */
  out: readonly string[]
  page: Page
}

export const reportTasks = (
  checked: readonly CheckedTask[],
  { root, all, out, page }: ManyOptions,
): ValidateResult => {
  const broken = checked.filter((each) => failedIn(each).length > 0)
  const warnings = checked.flatMap(({ id, promises }) => promises.map((promise) => `${id}: ${promise}`))
  if (broken.length === 0) {
    const lines = checked.map((each) => ({ id: each.id, valid: true, failed: [], ...warnedIn(each) }))
    return ok(
      {
        ...(root && { epic: root }),
        valid: true,
        tasks: all ? lines : lines.filter(({ warned }) => warned),
        ...(out.length > 0 && { out: [...out] }),
        counts: {
          checked: checked.length,
          valid: checked.length,
          ...(out.length > 0 && { out: out.length }),
        },
      },
      { page, warnings },
    )
  }
  const failure = fail(codeOf(broken), {
    broken: broken.length,
    of: checked.length,
    ...(out.length > 0 && { out: [...out] }),
    problems: broken.map((each) => ({
      path: each.id,
      message: failedIn(each).join(', '),
      fix: `cleo validate ${each.id}`,
    })),
    ...(page.next && {
      next: `cleo validate${root ? ` --epic ${root}` : ''} --after ${page.next}`,
    }),
  })
  return all
    ? { ...failure, held: checked.filter((each) => !broken.includes(each)).map(({ id }) => id) }
    : failure
}

const warnedIn = ({ rules }: CheckedTask): { warned?: string[] } => {
  const warned = rules.filter(({ result }) => result === 'warning').map(({ id }) => id)
  return warned.length > 0 ? { warned } : {}
}

export const drawCompliance = (
  { id, epic, protocol, spawnId, rules, tasks, out, counts }: ValidationReport,
  style: Style,
): string[] => {
  const marks = {
    pass: style.green('✓'),
    fail: style.red('✗'),
    warning: style.yellow('!'),
    na: style.dim('–'),
  }
  if (rules)
    return [
      `${style.green('✓')} ${style.cyan(id!)} follows the ${protocol} protocol  ${style.dim(`${spawnId}, ${counts['pass']} rules`)}`,
      ...rules.map(({ id, result, fact }) => `  ${marks[result]} ${id}  ${fact}`),
    ]
  return [
    `${style.green('✓')} ${counts['valid']} of ${counts['checked']} tasks${epic ? ` below ${style.cyan(epic)}` : ''} follow their protocols`,
    ...(out ? [`  not returned yet: ${listIds(out)}`] : []),
    ...(tasks ?? []).map(
      ({ id, warned }) =>
        `  ${warned ? marks.warning : marks.pass} ${style.cyan(id)}${warned ? `  ${warned.join(', ')}` : ''}`,
    ),
  ]
}
