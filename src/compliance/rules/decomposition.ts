import type { Breakdown, BreakdownTask, RuleFacts } from './rule-facts.ts'
import {
  agentType,
  count,
  fail,
  firstFew,
  notApplicable,
  pass,
  passUnless,
  type Rule,
  type Rules,
  type Ruling,
  workRule,
} from './ruling.ts'

/** If the spawn created no tasks, the rule does not apply, because DCMP-002 already fails. */
const breakdownRule = (judge: (breakdown: Breakdown, facts: RuleFacts) => Ruling): Rule =>
  workRule((_, facts) =>
    facts.breakdown && facts.breakdown.tasks.length > 0
      ? judge(facts.breakdown, facts)
      : notApplicable(`${facts.spawn} created no tasks`),
  )

/** `flag` is the flag of `update` that corrects a task. */
const everyTaskRule = (
  fine: (breakdown: Breakdown) => string,
  wrong: (task: BreakdownTask, breakdown: Breakdown) => string | undefined,
  flag: string,
): Rule =>
  breakdownRule((breakdown, facts) => {
    const found = breakdown.tasks.flatMap((task) => {
      const what = wrong(task, breakdown)
      return what === undefined ? [] : [{ id: task.id, what: `${task.id} ${what}` }]
    })
    return passUnless(
      found.map(({ what }) => what),
      fine(breakdown),
      found[0] && updateFix(facts, found[0].id, flag),
    )
  })

const updateFix = ({ spawn }: RuleFacts, id: string, flag: string): string =>
  `cleo update ${id} ${flag} --as ${spawn}`

const taskCount = ({ tasks }: Breakdown): string => count(tasks.length, 'task')

export const decomposition: Rules = {
  'DCMP-001': breakdownRule((breakdown, facts) => {
    const first = new Map<string, string>()
    const twice = breakdown.tasks.flatMap(({ id, title }) => {
      const key = title.trim().toLowerCase().split(/\s+/).join(' ')
      const other = first.get(key)
      if (other === undefined) first.set(key, id)
      return other === undefined ? [] : [{ id, what: `${id} has the same title as ${other}` }]
    })
    return passUnless(
      twice.map(({ what }) => what),
      `${taskCount(breakdown)}, no two with the same title`,
      twice[0] && updateFix(facts, twice[0].id, '--title "<another title>"'),
    )
  }),

  'DCMP-002': workRule((_, facts) => {
    const { breakdown, spawn } = facts
    if (!breakdown || breakdown.tasks.length === 0)
      return fail(
        `${spawn} created no tasks`,
        `cleo add "<title>" --parent ${facts.task.id} --acceptance "<criterion>" --as ${spawn}`,
      )
    const byId = new Map(breakdown.tasks.map((task) => [task.id, task]))
    const unrecorded = breakdown.tasks.flatMap((task) => {
      const before = allBefore(task, byId)
      const needed = needsIn(task.description).filter((id) => id !== task.id && !before.has(id))
      return needed.map((id) => ({
        what: `${task.id} says that it needs ${id} but does not depend on it`,
        fix: updateFix(facts, task.id, `--depends ${id}`),
      }))
    })
    const depends = breakdown.tasks.reduce((sum, task) => sum + task.depends.length, 0)
    return passUnless(
      unrecorded.map(({ what }) => what),
      `${taskCount(breakdown)} with ${count(depends, 'dependency', 'dependencies')}`,
      unrecorded[0]?.fix,
    )
  }),

  'DCMP-003': everyTaskRule(
    ({ tasks }) => `at most ${Math.max(...tasks.map(({ depth }) => depth))} levels deep`,
    ({ depth }) => (depth > 3 ? `is at depth ${depth}` : undefined),
    '--parent <another parent>',
  ),

  'DCMP-004': everyTaskRule(
    ({ mostFiles }) => `no leaf declares more than ${mostFiles} files`,
    ({ leaf, files }, { mostFiles }) => (leaf && files > mostFiles ? `declares ${files} files` : undefined),
    '--remove-files <path>',
  ),

  // A phrase that looks like a duration can mean something else. So this rule only warns, and quotes the phrase.
  'DCMP-005': breakdownRule(({ promises }) =>
    promises.length > 0
      ? { result: 'warning', fact: firstFew(promises) }
      : pass('no text promises a duration'),
  ),

  'DCMP-006': everyTaskRule(
    (breakdown) => `${taskCount(breakdown)} with acceptance criteria`,
    ({ type, criteria }) => (type !== 'epic' && criteria === 0 ? 'has no acceptance criteria' : undefined),
    '--acceptance "<criterion>"',
  ),

  'DCMP-007': breakdownRule(({ parents }) =>
    passUnless(
      parents.flatMap(({ id, open }) => (open > 7 ? [`${id} has ${open} open children`] : [])),
      'no parent has more than 7 open children',
    ),
  ),

  'DCMP-008': breakdownRule(({ cycle }) => (cycle ? fail(cycle.join(' → ')) : pass('no dependency cycle'))),

  'DCMP-009': agentType('decomposition'),
}

/** Returns all parents and dependencies of a task, direct and indirect. */
const allBefore = (task: BreakdownTask, byId: ReadonlyMap<string, BreakdownTask>): Set<string> => {
  const before = new Set<string>()
  const open = [task]
  for (let next = open.pop(); next; next = open.pop()) {
    const around = [...next.depends, ...(next.parent === null ? [] : [next.parent])]
    for (const id of around) {
      if (before.has(id)) continue
      before.add(id)
      const other = byId.get(id)
      if (other) open.push(other)
    }
  }
  return before
}

/** Returns the tasks that a description names as dependencies, as in `depends on T012`. */
const needsIn = (text: string): string[] =>
  [
    ...text.matchAll(/\b(?:depends on|needs|requires|waits (?:on|for)|blocked by|builds on) (T\d{3,12})\b/gi),
  ].map(([, id]) => id!.toUpperCase())
