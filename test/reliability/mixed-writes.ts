import type { OperationName } from '../../src/index.ts'
import type { Random } from './random.ts'

export interface Write {
  op: OperationName
  input: Record<string, unknown>
}

/** An acknowledged write, to be compared with the database afterwards. */
export interface Acknowledged {
  op: OperationName
  /** The tasks that the audit log must name for this write, once each. */
  tasks: string[]
  /** The text of a note that must be in the database. */
  note?: string
}

export type Told = { acknowledged: Acknowledged } | { refused: number; code: string; op: OperationName }

const weights = {
  'tasks.add': 24,
  'tasks.note': 18,
  'tasks.update': 22,
  'tasks.complete': 10,
  'focus.set': 8,
  'focus.clear': 4,
  'focus.note': 3,
  'tasks.block': 4,
  'tasks.unblock': 3,
  'tasks.cancel': 3,
  'tasks.reopen': 3,
} as const satisfies Partial<Record<OperationName, number>>

export const mixedOperations = Object.keys(weights) as (keyof typeof weights)[]

/**
 * Returns an endless series of writes on tasks that others write on too. Every text in it contains the writer's name.
 */
export const mixedWrites = (random: Random, name: string, newest: number) => {
  let count = 0
  const blocked: string[] = []
  const closed: string[] = []
  // Choose recent tasks more often than old ones, so that writers meet on the same task.
  const someTask = () => `T${1 + Math.floor(newest * Math.sqrt(random.next()))}`
  const takeFrom = (list: string[]) => list.splice(random.below(list.length), 1)[0] ?? someTask()
  const inputs: Record<keyof typeof weights, (text: string) => Record<string, unknown>> = {
    'tasks.add': (title) => ({
      title,
      ...(random.next() < 0.5 && { parent: someTask() }),
      ...(random.next() < 0.4 && { depends: [...new Set([someTask(), someTask()])] }),
      priority: random.pick(['critical', 'high', 'medium', 'low']),
    }),
    'tasks.note': (text) => ({ id: someTask(), text }),
    'tasks.update': (title) => ({
      id: someTask(),
      ...random.pick([
        { title },
        { title, priority: random.pick(['critical', 'high', 'medium', 'low']) },
        { title, addDepends: [someTask()] },
        { title, depends: [] },
        { title, parent: random.pick(['none', someTask()]) },
      ]),
    }),
    'tasks.complete': () => ({ id: someTask() }),
    'focus.set': () => ({ id: someTask() }),
    'focus.clear': () => ({}),
    'focus.note': (text) => ({ text }),
    'tasks.block': (reason) => ({ id: someTask(), reason }),
    'tasks.unblock': () => ({ id: takeFrom(blocked) }),
    'tasks.cancel': (reason) => ({ id: someTask(), reason, withChildren: random.next() < 0.5 }),
    'tasks.reopen': (reason) => ({ id: takeFrom(closed), reason }),
  }

  return {
    next: (): Write => {
      const op = random.weighted(weights)
      return { op, input: inputs[op](`${name} ${++count}`) }
    },
    /** Remembers the tasks that the answer names, and returns the acknowledged write. */
    learn: ({ op, input }: Write, value: unknown): Acknowledged => {
      const tasks = recorded(op, value as Value)
      if (op === 'tasks.add') newest = Math.max(newest, Number(tasks[0]!.slice(1)))
      if (op === 'tasks.block') blocked.push(tasks[0]!)
      if (op === 'tasks.complete' || op === 'tasks.cancel') closed.push(...tasks)
      return { op, tasks, ...(op.endsWith('.note') && { note: input['text'] as string }) }
    },
  }
}

interface Value {
  id?: string
  task?: { id: string }
  noChange?: boolean
  completed?: string[]
  cancelled?: string[]
  reopened?: string[]
  released?: string
}

const recorded = (op: OperationName, value: Value): string[] => {
  const { id, task, noChange, cancelled, reopened, completed = [], released } = value
  const changed = op === 'focus.set' ? [task!.id] : (cancelled ?? reopened ?? [id!])
  return [...(noChange ? [] : changed), ...completed, ...(released ? [released] : [])]
}
