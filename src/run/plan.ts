import type { Style } from '../kernel/style.ts'
import type { CallingContext } from '../operation/context.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'

/** The tasks into which an agent has split an epic. A person must say yes to them before they are started. */
export interface Plan {
  epic: string
  title: string
  tasks: { id: string; title: string; depends: string[] }[]
  waves: string[][]
}

/** The answer of a run that has split its epic and now waits until a person says yes. */
export type Proposal = Plan & { run: string; then: string }

const titleLimit = 80

/** Makes a title from a person's sentence. Cuts off the end of a long sentence. */
export const epicTitle = (sentence: string): string => {
  const text = sentence.trim().replaceAll(/\s+/g, ' ')
  if (text.length <= titleLimit) return text
  const short = text.slice(0, titleLimit - 1)
  return `${short.slice(0, Math.max(short.lastIndexOf(' '), 40))}…`
}

export const planOf = async (context: CallingContext, epic: string): Promise<Plan | undefined> => {
  const rows = await tasks.descendants(context.store, epic)
  if (rows.length === 0) return undefined
  const depends = await lists.readMany(
    context.store,
    'depends',
    rows.map(({ id }) => id),
  )
  const analysis = await context.call('orchestrate.analyze', { epic })
  return {
    epic,
    title: (await tasks.find(context.store, epic))?.title ?? '',
    tasks: rows.map(({ id, title }) => ({ id, title, depends: [...(depends.get(id) ?? [])] })),
    waves: analysis.ok ? (analysis.value as { waves: string[][] }).waves : [],
  }
}

export const drawPlan = (
  { epic, title, tasks: rows, waves }: Plan,
  style: Pick<Style, 'cyan' | 'dim' | 'bold' | 'table'>,
): string[] => [
  `${style.cyan(epic)} ${style.bold(title)}  ${rows.length} ${rows.length === 1 ? 'task' : 'tasks'}`,
  ...style.table(
    rows.map(({ id, title, depends }) => [
      `  ${style.cyan(id)}`,
      title,
      depends.length > 0 ? style.dim(`after ${depends.join(', ')}`) : '',
    ]),
    1,
  ),
  ...waves.map((wave, n) => style.dim(`  wave ${n + 1}: ${wave.join(', ')}`)),
]

/** Returns undefined if there is no terminal. */
export const askAtTerminal = (
  { live }: Pick<CallingContext, 'live'>,
  plan: Plan,
): Promise<boolean> | undefined => {
  const show = live?.show
  if (!show) return undefined
  return new Promise((answer) => {
    live.onInterrupt(() => answer(false))
    show({
      lines: (style) => [
        ...drawPlan(plan, style),
        '',
        style.dim('y drives this plan · n leaves it for later'),
      ],
      keys: { y: () => answer(true), n: () => answer(false) },
    })
  })
}
