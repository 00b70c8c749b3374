import { count } from '../consensus/read.ts'
import * as consensus from '../consensus/sql.ts'
import { nearest } from '../kernel/nearest.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { fail, ok } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import * as notes from '../tasks/sql/notes.ts'

interface Decision {
  /** None turns all options down. */
  choose?: string
  reason: string
}

/** A person decides what the votes left contested, and nothing else: a verdict is not overruled. */
export const answerConsensus = ({ write, session }: Context, seq: number, { choose, reason }: Decision) =>
  write(async (tx) => {
    const id = numberedId('C', seq)
    const row = await consensus.find(tx.db, seq)
    if (!row) return fail('consensus.not_found', { id })
    if (row.decided_by !== null)
      return fail('consensus.over', { id, why: `was decided by ${row.decided_by}` })
    const { verdict, options } = await count(tx.db, row)
    if (verdict !== 'contested')
      return fail('consensus.over', {
        id,
        why: `is ${verdict ?? 'undecided'} in round ${row.round}, not contested`,
      })
    const names = options.map(({ option }) => option)
    if (choose !== undefined && !names.includes(choose)) {
      const near = nearest(choose, names)
      const message = `is none of ${names.join(', ')}${near ? `; did you mean "${near}"?` : ''}`
      return fail('input.invalid', { problems: [{ path: 'choose', message }] })
    }
    const decided = { decision: choose ?? null, reason, decided_by: tx.actor.id, decided_at: tx.now }
    await consensus.decide(tx.db, { seq, ...decided })
    const answer = choose ?? 'none'
    await notes.add(tx.db, {
      task: row.task,
      session: session?.id,
      at: tx.now,
      actor: tx.actor.id,
      text: `${id} ${row.question}: ${choose ?? 'none of the options'}. ${reason}`,
    })
    await tx.record({ task: row.task, after: { consensus: id, decision: answer, reason } })
    return ok({ id, answer, task: row.task })
  })
