import { listIds } from '../print/id-list.ts'
import { type Problem, problemSentence, refusal } from './refusal.ts'

export interface Breach {
  /** For one task: how many of its rules are broken. For an epic: how many of the checked tasks break a rule. */
  broken: number
  of: number
  /** Missing if several tasks were checked. */
  id?: string
  problems: Problem[]
  /** Spawns that have not returned yet and so were not checked. */
  out?: string[]
  next?: string
}

const breach = {
  message: ({ id, broken, of, out, problems: [first, ...more] }: Breach) => {
    const alone = first && more.length === 0 ? problemSentence(first) : undefined
    if (id !== undefined) return alone ? `${id} breaks ${alone}` : `${id} breaks ${broken} of ${of} rules:`
    const away = out
      ? `; ${out.length} more ${out.length === 1 ? 'was not checked, because its subagent has' : 'were not checked, because their subagents have'} not returned (${listIds(out)})`
      : ''
    const many = `${broken} of ${of} checked tasks ${broken === 1 ? 'breaks' : 'break'} a rule${away}`
    return alone ? `${many}: ${alone}` : `${many}:`
  },
  fix: ({ problems }: Breach) => problems.find(({ fix }) => fix)?.fix,
  alternatives: ({ next }: Breach) => (next ? [next] : []),
}

export const compliance = () => ({
  'compliance.unspawned': refusal<{ id?: string; epic?: string }>({
    exit: 60,
    message: ({ id, epic }) =>
      id === undefined
        ? `No task${epic ? ` below ${epic}` : ''} was spawned, so there is no protocol to check.`
        : `${id} was never spawned, so there is no protocol to check.`,
    fix: ({ id, epic }) =>
      id === undefined ? `cleo next ${epic ?? ''}`.trimEnd() : `cleo spawn ${id} --ref`,
  }),
  'compliance.return': refusal<Breach>({ exit: 61, ...breach }),
  'compliance.entry': refusal<Breach>({ exit: 62, ...breach }),
  'compliance.failed': refusal<Breach>({ exit: 60, ...breach }),
})
