import { taskId } from '../kernel/task-id.ts'
import { setCounter } from '../transfer/sql.ts'
import { repairCheck } from './check-shapes.ts'
import { listNames, mostShown } from './doctor-finding.ts'
import {
  type MiscountedTask,
  miscounted,
  counter as readCounter,
  recountTotals,
  recountWrong,
  type WrongTotal,
  wrongTotals,
} from './sql/tasks.ts'

export const counts = repairCheck({
  id: 'counts',
  question: 'Are the stored numbers of tasks, and the stored counts of every task, correct?',
  async find(store) {
    const tasks = await miscounted(store, mostShown)
    const totals = await wrongTotals(store, mostShown)
    return [
      tasks.total > 0
        ? {
            what: `CLEO stored wrong counts for ${listNames(tasks.rows.map(differences), tasks.total)}`,
            why: 'cleo ready lists such a task too early or never',
            where: tasks.rows[0]!.id,
          }
        : undefined,
      totals.total > 0
        ? {
            what: `CLEO stored wrong numbers of tasks: ${listNames(totals.rows.map(difference), totals.total)}`,
            why: 'cleo status and cleo list show wrong numbers',
          }
        : undefined,
    ]
  },
  async repair({ db, record }) {
    const fixed = await recountWrong(db)
    const { total } = await wrongTotals(db, 1)
    if (total > 0) await recountTotals(db)
    if (fixed.length + total > 0)
      await record({ after: { fixed: 'counts', count: fixed.length + total, tasks: fixed.slice(0, 100) } })
    return fixed.length + total
  },
})

const difference = ({ root, status, kept, counted }: WrongTotal): string =>
  `${kept} ${status} instead of ${counted} in ${root === '' ? 'the project' : root}`

const names = { blockers: 'open dependencies', unblocks: 'open dependents', children: 'children' }

const differences = (row: MiscountedTask): string => {
  const wrong = (['blockers', 'unblocks', 'children'] as const).flatMap((name) =>
    row[name] === row[`real_${name}`]
      ? []
      : [`${names[name]}: ${row[name]} instead of ${row[`real_${name}`]}`],
  )
  return `${row.id} (${wrong.join(', ')})`
}

export const counter = repairCheck({
  id: 'counter',
  question: 'Is the number of the next task higher than every number in use?',
  async find(store) {
    const { value, highest } = await readCounter(store)
    if (value >= highest) return []
    return [
      {
        what: `the task counter is ${value}, but ${taskId(highest)} exists`,
        why: 'the next task cannot be added because its id is taken',
        where: taskId(highest),
      },
    ]
  },
  async repair({ db, record }) {
    const { value, highest } = await readCounter(db)
    if (value >= highest) return 0
    await setCounter(db, { name: 'task', value: highest })
    await record({ before: { counter: value }, after: { fixed: 'counter', counter: highest } })
    return 1
  },
})
