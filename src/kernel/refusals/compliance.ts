import { names } from '../names.ts'
import type { Problem } from '../result.ts'
import { entry, sentence } from './entry.ts'

export interface Breach {
  /** Of one task, how many of its rules; of an epic, how many of the tasks looked at. */
  broken: number
  of: number
  /** The task; left out where many were looked at. */
  id?: string
  problems: Problem[]
  /** Spawns that are not back yet and were not looked at. */
  out?: string[]
  /** The command for the next page. */
  next?: string
}

const breach = {
  message: ({ id, broken, of, out, problems: [first, ...more] }: Breach) => {
    const alone = first && more.length === 0 ? sentence(first) : undefined
    if (id !== undefined) return alone ? `${id} breaks ${alone}` : `${id} breaks ${broken} of ${of} rules:`
    const away = out ? `, ${out.length} not back yet (${names(out)})` : ''
    const many = `${broken} of ${of} tasks ${broken === 1 ? 'breaks' : 'break'} a rule${away}`
    return alone ? `${many}: ${alone}` : `${many}:`
  },
  fix: ({ problems }: Breach) => problems.find(({ fix }) => fix)?.fix,
  alternatives: ({ next }: Breach) => (next ? [next] : []),
}

/** A spawn did not keep its protocol, by what was observed. */
export const compliance = () => ({
  'compliance.unspawned': entry<{ id?: string; epic?: string; type?: string }>({
    exit: 60,
    http: 409,
    retryable: true,
    message: ({ id, epic }) =>
      id === undefined
        ? `Nothing${epic ? ` below ${epic}` : ''} was spawned: there is no protocol to check by.`
        : `${id} was never spawned: there is no protocol to check it by.`,
    fix: ({ id, epic, type }) => {
      if (id === undefined) return `cleo orchestrate next${epic ? ` --epic ${epic}` : ''}`
      return type === 'epic' ? `cleo orchestrate validate --epic ${id}` : `cleo orchestrate spawn ${id} --ref`
    },
  }),
  'compliance.return': entry<Breach>({ exit: 61, http: 422, retryable: true, ...breach }),
  'compliance.entry': entry<Breach>({ exit: 62, http: 409, retryable: true, ...breach }),
  'compliance.failed': entry<Breach>({ exit: 63, http: 422, retryable: true, ...breach }),
})
