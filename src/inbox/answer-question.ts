import { numberedId } from '../kernel/numbered-id.ts'
import { fail, ok } from '../kernel/result.ts'
import type { Stage } from '../kernel/task.ts'
import { readEpic } from '../lifecycle/epic.ts'
import { goBack } from '../lifecycle/go.ts'
import type { Context, Write } from '../operation/context.ts'
import * as questions from '../questions/sql.ts'
import * as notes from '../tasks/sql/notes.ts'
import { grantWaiver } from './grant-waiver.ts'

interface Answer {
  yes: boolean
  text?: string
}

/**
 * Closes a question. A yes to a waiver or to another loop does what was asked; whatever else needs a person, they do
 * themselves, and are told the command.
 */
export const answerQuestion = async (context: Context, seq: number, { yes, text }: Answer) => {
  const asked = await questions.find(context.store, seq)
  const id = numberedId('Q', seq)
  if (!asked) return fail('question.not_found', { id })
  // Before the question is closed: what cannot be granted stays open.
  if (yes && asked.kind === 'waiver' && asked.answered_at === null) {
    const refused = await grantWaiver(context, asked, text)
    if (refused) return refused
  }
  return context.write(async (tx) => {
    const row = (await questions.find(tx.db, seq))!
    if (row.answered_at !== null)
      return fail('question.answered', { id, by: row.answered_by ?? '', answer: row.answer ?? '' })
    const warnings = yes && row.kind === 'stage' ? await loopAgain(tx, context, row) : []
    const answer = yes ? 'yes' : 'no'
    await questions.answer(tx.db, {
      ...{ seq, answer, note: text ?? null, answered_by: tx.actor.id, answered_at: tx.now },
    })
    const { task } = row
    if (task) await notes.add(tx.db, noteOf(tx, row, answer, text))
    await tx.record({ task: task ?? undefined, after: { question: id, answer, ...(text && { text }) } })
    const then = yes && row.kind === 'person' ? row.question : undefined
    return ok({ id, answer, ...(task && { task }), ...(then && { then }) }, { warnings })
  })
}

const noteOf = ({ now, actor }: Write, row: questions.QuestionRow, answer: string, text?: string) => ({
  task: row.task!,
  at: now,
  actor: actor.id,
  text: `${numberedId('Q', row.seq)} ${row.question}: ${answer}.${text ? ` ${text}` : ''}`,
})

/** The epic may have gone elsewhere since it was asked. */
const loopAgain = async (
  tx: Write,
  { config }: Context,
  { asked }: questions.QuestionRow,
): Promise<string[]> => {
  const { input } = JSON.parse(asked) as { input: { id: string; to: Stage; reason: string } }
  const epic = await readEpic(tx.db, config, input.id)
  if (epic.ok && epic.course.current === 'testing' && !epic.course.over) {
    const moved = await goBack(tx, epic, { ...input, allowed: true })
    if (moved.ok) return []
  }
  return [`${input.id} is not at testing any more; it stays where it is`]
}
