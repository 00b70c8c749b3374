import { timeWarning } from '../kernel/time-promises.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { observe } from './observe.ts'
import { judge, type Ruled } from './rules/judge.ts'
import type { Observed } from './rules/observed.ts'

export interface Checked {
  id: string
  spawn: string
  protocol: string
  rules: Ruled[]
  /** Texts that promise how long work will last. */
  promises: string[]
}

/** Every rule on one task; undefined where nobody was sent to do it. */
export const check = async (context: Context, row: TaskRow): Promise<Checked | undefined> => {
  const seen = await observe(context, row)
  return (
    seen && {
      id: row.id,
      spawn: seen.spawn,
      protocol: seen.protocol,
      rules: judge(seen),
      promises: promisesIn(row, seen),
    }
  )
}

const promisesIn = ({ title, description }: TaskRow, { entries, file }: Observed): string[] => {
  const { key_findings, needs_followup } = entries.at(-1)?.body ?? {}
  const said = [key_findings, needs_followup].flat().filter((text) => typeof text === 'string')
  return [
    ...timeWarning('the task', `${title}\n${description}`),
    ...timeWarning('the entry', said.join('\n')),
    ...timeWarning('the output file', file?.text ?? ''),
  ]
}

export const failedIn = ({ rules }: Checked): string[] =>
  rules.filter(({ result }) => result === 'fail').map(({ id }) => id)

/** The refusal that fits what is broken: the line that came back, an entry that never came, or anything else. */
export const codeOf = (
  checked: readonly Checked[],
): 'compliance.return' | 'compliance.entry' | 'compliance.failed' => {
  const broken = new Set(checked.flatMap(failedIn))
  if (broken.has('BASE-002')) return 'compliance.return'
  return checked.some(isWithoutEntry) ? 'compliance.entry' : 'compliance.failed'
}

/** Where there is an entry, its file has been asked about. */
const isWithoutEntry = ({ rules }: Checked): boolean =>
  rules.some(({ id, result }) => id === 'BASE-001' && result === 'fail') &&
  rules.some(({ id, result }) => id === 'BASE-004' && result === 'na')
