import { Refused } from '../kernel/result.ts'
import type { Check } from './check.ts'
import { checks } from './checks.ts'
import { type Finding, type Found, inOrder, open } from './finding.ts'
import { isLocked, type Patient } from './patient.ts'

export interface Skipped {
  check: string
  why: string
}

export interface Examined {
  found: Found[]
  /** What could not be asked because of something else that was found. */
  skipped: Skipped[]
}

/** Asks everything there is to ask; what one check meets keeps none of the others from being asked. */
export const examine = async (patient: Patient): Promise<Examined> => {
  const found: Found[] = []
  const skipped: Skipped[] = []
  for (const check of checks) {
    const why = outOfReach(check, patient)
    const answer = why ?? (await ask(check, patient))
    if (typeof answer === 'string') skipped.push({ check: check.id, why: answer })
    else for (const finding of answer) found.push({ check: check.id, ...finding })
  }
  return { found: inOrder(found), skipped }
}

const outOfReach = ({ id, needs }: Check, patient: Patient): string | undefined => {
  const { state } = patient
  if (isLocked(patient)) return id === 'config' ? undefined : '.cleo/ may not be looked into'
  if (needs === 'files' || state.is === 'open') return undefined
  switch (state.is) {
    case 'older':
      return 'the database is of an older CLEO'
    case 'damaged':
      return 'the database is damaged'
    case 'refused':
      return 'the database cannot be opened'
    default:
      return 'the configuration does not say where the data is'
  }
}

const ask = async (check: Check, patient: Patient): Promise<Finding[] | string> => {
  try {
    return check.needs === 'files' ? await check.look(patient) : await check.look(patient.context!)
  } catch (error) {
    // Some questions take a write; that none can be made here is said by `writable`.
    if (error instanceof Refused && error.failure.code === 'store.readonly') return error.message
    // Whatever else it is, it is news about the project: doctor is asked when things are not as they should be.
    return [unanswered(check, error)]
  }
}

const unanswered = ({ asks }: Check, error: unknown): Finding => {
  const failure = error instanceof Refused ? error.failure : undefined
  const reason = error instanceof Error ? error.message : String(error)
  return open({
    kind: failure?.code === 'store.corrupt' ? 'damage' : 'file',
    severity: 'error',
    what: reason.replace(/\.$/, ''),
    why: `so nobody can answer: ${asks}`,
    ...(failure?.fix && { fix: failure.fix }),
  })
}
