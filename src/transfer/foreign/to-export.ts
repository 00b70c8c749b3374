import { findCycle } from '../../graph/waits.ts'
import type { Problem } from '../../kernel/result.ts'
import { closed, limits, type Status } from '../../kernel/task.ts'
import { taskId } from '../../kernel/task-id.ts'
import { mergeCriteria } from '../../tasks/acceptance.ts'
import { header } from '../records.ts'
import { labelsOf, piecesOf, shortened } from './fit-limits.ts'
import type { ForeignProject, ForeignTask, LeftOut } from './foreign-task.ts'

export interface TranslatedProject {
  /** The text of an export with the same tasks. */
  text: string
  /** Maps each id in the export to the id that the other tool uses. */
  names: ReadonlyMap<string, string>
  left: LeftOut[]
}

/**
 * Translates a project of another tool into an export, which can then be imported like any other export. Long titles,
 * deep trees, cycles and unknown fields do not fit into an export: they are kept in notes and counted in `left`.
 */
export const toExport = (
  project: ForeignProject,
  by: string,
  now: number,
): TranslatedProject | { problems: Problem[] } => {
  const tasks = placed(project)
  const ids = new Map(tasks.map(({ id }, i) => [id, taskId(i + 1)]))
  if (!dropImpossibleDependencies(tasks))
    return { problems: [{ path: 'dependencies', message: `make more than ${mostCycles} cycles` }] }
  let notes = 0
  const lines = tasks.map((task) => {
    const record = recordOf(task, { by, now, tool: project.tool, here: (id) => ids.get(id) })
    return { ...record, notes: record.notes.map((note) => ({ seq: ++notes, ...note })) }
  })
  return {
    text: [header, ...lines].map((line) => JSON.stringify(line)).join('\n'),
    names: new Map([...ids].map(([foreign, own]) => [own, foreign])),
    left: [...project.left, ...leftOut(tasks)].filter(({ count }) => count > 0),
  }
}

/** A task with its place in CLEO's tree of three levels. The last four fields say what the import changed. */
interface PlacedTask extends ForeignTask {
  depth: number
  hasChildren: boolean
  /** True for an epic that only groups imported tasks. */
  isAdded?: true
  /** The status that the other tool gave, if the task gets another status in CLEO. */
  was?: Status
  /** Dependencies that CLEO does not allow, with the reason. */
  dropped: { id: string; why: string }[]
  /** The parent that the task had, if the tree was too deep. */
  movedFrom?: string
}

const withUniqueIds = (tasks: readonly ForeignTask[]): ForeignTask[] => {
  const seen = new Set<string>()
  return tasks.map((task, i) => {
    let id = task.id || `task ${i + 1}`
    for (let copy = 2; seen.has(id); copy++) id = `${task.id} (${copy})`
    seen.add(id)
    return { ...task, id }
  })
}

/** Gives every task a place: tasks without an epic are put into one, and tasks that are too deep are moved up. */
const placed = ({ tasks: all, tool, groups }: ForeignProject): PlacedTask[] => {
  const tasks = withUniqueIds(all)
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const withChildren = new Set(tasks.flatMap(({ parent = '' }) => (byId.has(parent) ? [parent] : [])))
  const epics = new Map<string, PlacedTask>()
  const epicFor = (title: string): PlacedTask => {
    const known = epics.get(title)
    if (known) return known
    const epic: PlacedTask = {
      ...{ id: `epic ${title}`, title, description: groups?.get(title) ?? '', isEpic: true, isAdded: true },
      ...{ status: 'pending', labels: [], depends: [], criteria: [], notes: [], others: {} },
      ...{ depth: 1, hasChildren: true, dropped: [] },
    }
    epics.set(title, epic)
    return epic
  }
  const groupOf = ({ id, isEpic, group }: ForeignTask) =>
    group ?? (isEpic || withChildren.has(id) ? undefined : `From ${tool}`)
  const above = ancestorsOf(byId)
  const found = tasks.map((task): PlacedTask => {
    const line = above(task)
    const group = groupOf(line[0] ?? task)
    const path = [...(group === undefined ? [] : [epicFor(group)]), ...line]
    const parent = path.slice(0, 2).at(-1)
    const isMoved = task.parent !== undefined && byId.has(task.parent) && task.parent !== parent?.id
    return {
      ...task,
      parent: parent?.id,
      depth: Math.min(path.length, 2) + 1,
      hasChildren: withChildren.has(task.id),
      dropped: [],
      ...(isMoved && { movedFrom: task.parent }),
    }
  })
  return withOpenParents([...epics.values(), ...found])
}

/**
 * Returns a function that lists the ancestors of a task. The list starts at the root and has at most three tasks. It is
 * empty if the ancestors form a loop. The function caches its results, so that a long chain of tasks takes linear time.
 */
const ancestorsOf = (byId: ReadonlyMap<string, ForeignTask>) => {
  const known = new Map<string, ForeignTask[]>()
  return (task: ForeignTask): ForeignTask[] => {
    const unknown: ForeignTask[] = []
    const seen = new Set<string>()
    let at: ForeignTask | undefined = task
    for (; at && !known.has(at.id) && !seen.has(at.id); at = byId.get(at.parent ?? '')) {
      seen.add(at.id)
      unknown.push(at)
    }
    const isLoop = at !== undefined && !known.has(at.id)
    let line = at && !isLoop ? [...known.get(at.id)!, at].slice(0, 3) : []
    for (const each of unknown.toReversed()) {
      known.set(each.id, line)
      line = isLoop ? [] : [...line, each].slice(0, 3)
    }
    return known.get(task.id)!
  }
}

/** Reopens closed tasks that have open tasks below them. Closes added epics in which every task is closed. */
const withOpenParents = (tasks: PlacedTask[]): PlacedTask[] => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const withOpenWork = new Set<string>()
  for (const task of tasks) {
    if (closed(task.status)) continue
    for (let at = byId.get(task.parent ?? ''); at; at = byId.get(at.parent ?? '')) withOpenWork.add(at.id)
  }
  return tasks.map((task) => {
    if (closed(task.status) && withOpenWork.has(task.id)) {
      const { reason: _, completedAt: __, ...open } = task
      return { ...open, status: 'pending', was: task.status }
    }
    return task.isAdded && !withOpenWork.has(task.id) ? { ...task, status: 'done' } : task
  })
}

/** At most this many cycles are removed, because finding each one requires a walk over all tasks. */
const mostCycles = 1000

/**
 * Removes dependencies on missing tasks, dependencies beyond the limit, and dependencies that close a cycle. Returns
 * false if there are more than `mostCycles` cycles.
 */
const dropImpossibleDependencies = (tasks: readonly PlacedTask[]): boolean => {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  for (const task of tasks) {
    const distinct = [...new Set(task.depends)]
    task.depends = distinct.filter((id) => byId.has(id)).slice(0, limits.depends)
    for (const id of distinct)
      if (!task.depends.includes(id))
        task.dropped.push({
          id,
          why: byId.has(id)
            ? `is beyond the limit of ${limits.depends} dependencies`
            : 'is not among the imported tasks',
        })
  }
  for (let cycles = 0; cycles <= mostCycles; cycles++) {
    const cycle = findCycle(
      tasks.map(({ id, parent, depends }) => ({ id, parent: parent ?? null, needs: depends })),
    )
    if (!cycle) return true
    const step = cycle.path.findIndex((id, i) => byId.get(id)?.depends.includes(cycle.path[i + 1] ?? ''))
    const task = byId.get(cycle.path[step]!)!
    const id = cycle.path[step + 1]!
    task.depends = task.depends.filter((need) => need !== id)
    task.dropped.push({ id, why: 'would be a cycle' })
  }
  return false
}

interface Writing {
  by: string
  now: number
  tool: string
  /** Returns the id that a task has in the export. */
  here: (id: string) => string | undefined
}

const recordOf = (task: PlacedTask, { by, now, tool, here }: Writing) => {
  const [title, longTitle] = shortened(task.title.replaceAll('\n', ' ') || '(no title)', limits.title)
  const text = [longTitle, task.description].filter((part) => part !== '').join('\n\n')
  const [description, ...more] = piecesOf(text, limits.description)
  const [labels, otherLabels] = labelsOf(task.labels)
  const criteria = task.criteria
    .map((each) => shortened(each, limits.criterion))
    .filter(([short]) => short !== '')
  const createdAt = task.createdAt ?? now
  const time = (ms: number) => new Date(Math.max(ms, createdAt)).toISOString()
  const longTexts = [...more, ...criteria.map(([, whole]) => whole).filter((whole) => whole !== '')]
  const origin = originNote(task, tool, otherLabels)
  const notes = [
    ...task.notes,
    ...[...longTexts, origin].map((text) => ({ text, at: undefined, by: undefined })),
  ]
  const { status } = task
  return {
    record: 'task',
    id: here(task.id)!,
    title,
    description: description ?? '',
    type: task.depth === 1 ? (task.isEpic || task.hasChildren ? 'epic' : 'task') : depthType(task.depth),
    ...(task.parent !== undefined && { parent: here(task.parent) }),
    status,
    ...((status === 'blocked' || status === 'cancelled') && {
      reason: task.reason ?? `${status} in ${tool}`,
    }),
    priority: task.priority ?? 'medium',
    size: 'medium',
    origin: by,
    ...(status === 'done' && { outcome: 'complete' }),
    epoch: 0,
    createdAt: time(createdAt),
    updatedAt: time(task.updatedAt ?? createdAt),
    ...(closed(status) && { completedAt: time(task.completedAt ?? task.updatedAt ?? now) }),
    labels,
    depends: task.depends.map((id) => here(id)!),
    criteria: mergeCriteria([...new Set(criteria.map(([short]) => short))], description ?? '', []),
    notes: notes.flatMap(({ text, at, by: author }) =>
      piecesOf(text, limits.note).map((text) => ({ at: time(at ?? now), by: author || by, text })),
    ),
  }
}

const depthType = (depth: number): 'task' | 'subtask' => (depth === 2 ? 'task' : 'subtask')

/** Names the tool, and lists everything for which CLEO has no field. */
const originNote = (task: PlacedTask, tool: string, labels: readonly string[]): string => {
  const { was, movedFrom, dropped } = task
  const others = { ...task.others, ...(labels.length > 0 && { labels }) }
  return [
    `Imported from ${tool}: ${task.id}.`,
    ...(was ? [`It was ${was} there, with open tasks below it.`] : []),
    ...(movedFrom ? [`It was below ${movedFrom} there.`] : []),
    ...dropped.map(({ id, why }) => `It depended on ${id}, which ${why}.`),
    ...Object.entries(others).map(([name, value]) => `${name}: ${inWords(value)}`),
  ].join('\n')
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const leftOut = (tasks: readonly PlacedTask[]): LeftOut[] => {
  const count = (has: (task: PlacedTask) => unknown) => tasks.filter(has).length
  const dropped = tasks.flatMap((task) => task.dropped)
  const kept = 'they are named in a note of the task'
  return [
    { what: 'dependencies', count: dropped.length, why: `they are missing or make a cycle; ${kept}` },
    {
      what: 'tasks below the third level',
      count: count(({ movedFrom }) => movedFrom),
      why: 'they were moved up; a note of the task names its former parent',
    },
    {
      what: 'closed tasks with open tasks below them',
      count: count(({ was }) => was),
      why: 'they are pending here',
    },
    {
      what: 'other fields of tasks',
      count: tasks.reduce((sum, { others }) => sum + Object.keys(others).length, 0),
      why: kept,
    },
  ]
}
