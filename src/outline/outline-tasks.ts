import * as v from 'valibot'
import { findCycle } from '../graph/waits.ts'
import { checkInput } from '../kernel/check-input.ts'
import { nearest } from '../kernel/nearest.ts'
import { fail, type Problem } from '../kernel/result.ts'
import { slugOf } from '../kernel/slug.ts'
import { limits } from '../kernel/task.ts'
import { problemSentence } from '../refusals/refusal.ts'
import { editableFields } from '../tasks/editable-fields.ts'
import { isListField } from '../tasks/field-table.ts'
import type { Outline, OutlineItem } from './outline-shape.ts'

export interface OutlineTask {
  item: OutlineItem
  key: string
  /** Set if `{#T012}` names a stored task. */
  id?: string
  above?: OutlineTask
  top: OutlineTask
  fields: ItemFields
  /** The type of a new task, if the outline gives none. */
  inferred?: 'epic' | 'task'
  /**
   * The items and stored tasks that the item waits on. Undefined if the outline does not say what the item waits on.
   */
  depends?: (OutlineTask | string)[]
}

const { parent: _parent, depends: _depends, ...plain } = editableFields
const ItemFields = v.strictObject({
  ...v.partial(v.strictObject(plain)).entries,
  title: editableFields.title,
})
export type ItemFields = v.InferOutput<typeof ItemFields>

const taskIdKey = /^T\d{3,}$/i

/**
 * Gives every item its key, checks its fields and finds the items that it waits on. Reports every problem with its
 * line.
 */
export const outlineTasks = (
  { all }: Outline,
  depth: number,
): { tasks: OutlineTask[]; problems: Problem[] } => {
  const problems: Problem[] = []
  const problem = (line: number, message: string) => problems.push({ path: `line ${line}`, message })
  const tasks: OutlineTask[] = []
  const made = new Map<OutlineItem, OutlineTask>()
  for (const item of all) {
    const above = item.above && made.get(item.above)
    const task = {
      item,
      ...keyOf(item, above),
      ...(above && { above }),
      fields: fieldsOf(item),
    } as OutlineTask
    task.top = above?.top ?? task
    task.inferred = inferredType(item, depth)
    made.set(item, task)
    tasks.push(task)
    if (item.level + depth > 3)
      problem(item.line, `would be at level ${item.level + depth}; the maximum is 3`)
    const checked = checkInput(ItemFields, task.fields)
    if (checked.ok) task.fields = checked.value
    else for (const each of checked.problems) problem(item.line, problemSentence(each))
  }
  duplicates(tasks, problem)
  const find = finder(tasks)
  const guess = guesser(tasks)
  for (const task of tasks) resolve(task, find, guess, problem)
  if (problems.length > 0) cycleProblem(tasks, problem)
  return { tasks, problems }
}

/** The key of a subtask contains the key of its task, because many tasks have subtasks with the same title. */
const keyOf = (
  { key, title }: OutlineItem,
  above: OutlineTask | undefined,
): Pick<OutlineTask, 'key' | 'id'> => {
  if (key !== undefined) return taskIdKey.test(key) ? { key, id: key.toUpperCase() } : { key }
  const own = slugOf(title)
  return { key: above?.above && above.item.level < 3 ? `${above.key}/${own}` : own }
}

/** A heading at the top is an epic. An item with children is a task, because a subtask cannot have children. */
const inferredType = (
  { isHeading, level, children }: OutlineItem,
  depth: number,
): OutlineTask['inferred'] => {
  if (isHeading && level === 1 && depth === 0) return 'epic'
  return children.length > 0 ? 'task' : undefined
}

/** Leaves out the fields that the outline does not give, so that stored values stay. */
const fieldsOf = (item: OutlineItem): ItemFields => {
  const { title, text, criteria, settings } = item
  const given = Object.entries(settings).flatMap(([name, values]): [string, string | string[]][] => {
    if (name === 'depends') return []
    if (!isListField(name)) return [[name, values.join(', ')]]
    return [[name, values.length === 1 && values[0] === 'none' ? [] : values]]
  })
  return {
    title,
    ...(text.length > 0 && { description: text.join('\n') }),
    ...(criteria.length > 0 && { acceptance: criteria.map((each) => each.text) }),
    ...Object.fromEntries(given),
  } as ItemFields
}

/**
 * Returns the top item of an item, because the item's key must be unique below it. For a top item, returns undefined,
 * because its key must be unique among all top items.
 */
const scopeOf = ({ above, top }: OutlineTask): OutlineTask | undefined => (above ? top : undefined)

const duplicates = (
  tasks: readonly OutlineTask[],
  problem: (line: number, message: string) => void,
): void => {
  const seen = new Map<OutlineTask | undefined, Map<string, OutlineTask>>()
  for (const task of tasks) {
    const scope = task.id ? undefined : scopeOf(task)
    const keys = seen.get(scope) ?? new Map<string, OutlineTask>()
    seen.set(scope, keys)
    const earlier = keys.get(task.key)
    if (earlier)
      problem(
        task.item.line,
        `"${task.key}" is already the key of line ${earlier.item.line}; give one of the two lines another key, such as {#${task.key}-2}`,
      )
    else keys.set(task.key, task)
  }
}

/**
 * Reports a cycle in the outline. Called only if other problems keep the tasks from being added. If there are none, the
 * code that adds the tasks reports every cycle, even one that passes through stored tasks.
 */
const cycleProblem = (
  tasks: readonly OutlineTask[],
  problem: (line: number, message: string) => void,
): void => {
  const name = ({ item }: OutlineTask) => `line ${item.line}`
  const cycle = findCycle(
    tasks.map((task, seq) => ({
      id: name(task),
      seq,
      parent: task.above ? name(task.above) : null,
      needs: (task.depends ?? []).flatMap((need) => (typeof need === 'string' ? [] : [name(need)])),
    })),
  )
  if (cycle) problem(Number(cycle.path[0]!.slice(5)), fail('cycle', cycle).message)
}

type Find = (from: OutlineTask, reference: string) => OutlineTask | OutlineTask[] | undefined

/**
 * Finds an item by its key or title. If several items match, looks for the only match with the same parent as `from`.
 * If that fails, looks for the only match below the same top item. If that fails too, returns all matches.
 */
const finder = (tasks: readonly OutlineTask[]): Find => {
  const byKey = Map.groupBy(tasks, ({ key }) => key.toLowerCase())
  const bySlug = Map.groupBy(tasks, ({ item }) => slugOf(item.title))
  return (from, reference) => {
    const found =
      byKey.get(reference.toLowerCase()) ?? byKey.get(slugOf(reference)) ?? bySlug.get(slugOf(reference))
    if (!found || found.length === 1) return found?.[0]
    const near = found.filter(({ top }) => top === from.top)
    const beside = near.filter(({ above }) => above === from.above)
    for (const some of [beside, near]) if (some.length === 1) return some[0]
    return found
  }
}

const resolve = (
  task: OutlineTask,
  find: Find,
  guess: ReturnType<typeof guesser>,
  problem: (line: number, message: string) => void,
): void => {
  const { line, settings } = task.item
  const given = settings.depends
  if (!given) return
  task.depends = []
  if (given.length === 1 && given[0] === 'none') return
  if (given.length === 0) problem(line, 'after: names no task; write a key, a title or an id such as T012')
  if (given.length > limits.depends) problem(line, `after: is limited to ${limits.depends} dependencies`)
  for (const reference of new Set(given)) {
    const found = find(task, reference)
    if (Array.isArray(found))
      problem(
        line,
        `after: "${reference}" can mean ${found.map(({ key, item }) => `${key} (line ${item.line})`).join(' or ')}; write the key`,
      )
    else if (found) task.depends.push(found)
    else if (taskIdKey.test(reference)) task.depends.push(reference.toUpperCase())
    else
      problem(
        line,
        `"after: ${reference}" matches no key and no title in the outline${guess(task, reference)}`,
      )
  }
}

const mostGuesses = 50
const mostKnown = 2000

/** Guessing takes time, so only the first problems get a guess. */
const guesser = (tasks: readonly OutlineTask[]) => {
  let guesses = 0
  return (task: OutlineTask, reference: string): string => {
    if (++guesses > mostGuesses) return ''
    const known: string[] = []
    for (const { top, key } of tasks) if (top === task.top && known.length < mostKnown) known.push(key)
    const near = nearest(slugOf(reference), known)
    return near ? `; did you mean "${near}"?` : ''
  }
}
