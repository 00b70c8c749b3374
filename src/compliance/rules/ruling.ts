import { contracts, type Protocol } from '../../kernel/protocol.ts'
import { closed } from '../../kernel/task.ts'
import type { Handed, Observed } from './observed.ts'

export type RuleResult = 'pass' | 'fail' | 'warning' | 'na'

export interface Ruling {
  result: RuleResult
  /** What it rests on. */
  fact: string
  /** A command that helps, where one does; to do the work again helps whatever fails. */
  fix?: string
}

export type Judge = (seen: Observed) => Ruling
/** Rules by their ids in the protocol. */
export type Rules = Readonly<Record<string, Judge>>

export const pass = (fact: string): Ruling => ({ result: 'pass', fact })
export const na = (fact: string): Ruling => ({ result: 'na', fact })
export const fail = (fact: string, fix?: string): Ruling => ({ result: 'fail', fact, ...(fix && { fix }) })

/** Fails with everything that is wrong, or passes. */
export const unless = (wrong: readonly string[], fine: string, fix?: string): Ruling =>
  wrong.length > 0 ? fail(some(wrong), fix) : pass(fine)

const shown = 3

/** A few of many, and how many more there are. */
export const some = (items: readonly string[]): string =>
  items.length > shown
    ? `${items.slice(0, shown).join(', ')} and ${items.length - shown} more`
    : items.join(', ')

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** Has it done again: what is closed is opened first. */
export const respawnFix = ({ task }: Observed): string =>
  closed(task.status) ? `cleo reopen ${task.id} --reason "…"` : `cleo orchestrate respawn ${task.id} --ref`

export const lastEntry = ({ entries }: Observed): Handed | undefined => entries.at(-1)

/** A rule about the entry does not apply where there is none: that there is none is a breach of its own. */
export const ofEntry =
  (judge: (entry: Handed, seen: Observed) => Ruling): Judge =>
  (seen) => {
    const entry = lastEntry(seen)
    return entry ? judge(entry, seen) : na('there is no entry')
  }

/** A rule about the work does not apply to an agent that could not do it and said so. */
export const ofWork =
  (judge: (entry: Handed, seen: Observed) => Ruling): Judge =>
  (seen) =>
    ofEntry((entry) => (entry.status === 'blocked' ? na('the entry says blocked') : judge(entry, seen)))(seen)

/** A rule about what the output file says. */
export const ofText = (judge: (text: string, seen: Observed) => Ruling): Judge =>
  ofWork((_, seen) => {
    const { file } = seen
    return file?.text === undefined
      ? fail(`${file?.path ?? 'the output file'} cannot be read`, respawnFix(seen))
      : judge(file.text, seen)
  })

export const agentType = (protocol: Protocol): Judge =>
  ofEntry(({ id, body }) => {
    const { agentType } = contracts[protocol]
    const said = body['agent_type']
    return said === agentType
      ? pass(`${id} says ${agentType}`)
      : fail(`${id} says ${said === undefined ? 'nothing' : JSON.stringify(said)}, not ${agentType}`)
  })

/** The texts of a list in the entry. */
export const textsOf = ({ body }: Handed, field: string): string[] => {
  const list = body[field]
  return Array.isArray(list)
    ? list.filter((text): text is string => typeof text === 'string' && text.trim() !== '')
    : []
}
