import { type Permits, withContractCheck } from '../completion/contract-check.ts'
import { completeParents } from '../completion/finish.ts'
import { readTally } from '../consensus/read-tally.ts'
import * as consensus from '../consensus/sql.ts'
import { verdictText } from '../consensus/verdict-text.ts'
import { linkedFolders } from '../git/git-folder.ts'
import { checkInput } from '../kernel/check-input.ts'
import { nearest } from '../kernel/nearest.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { fail, ok } from '../kernel/result.ts'
import { closed, type Stage } from '../kernel/task.ts'
import { readEpic } from '../lifecycle/epic.ts'
import { moveBack } from '../lifecycle/stage-moves.ts'
import type { Context, Write } from '../operation/context.ts'
import { brief } from '../print/brief.ts'
import { addTrust, key, type Trustable } from '../project/trust-records.ts'
import { commandsIn } from '../project-commands/project-commands.ts'
import { type ShownQuestion, shownQuestion } from '../questions/shown-question.ts'
import type { QuestionRow } from '../questions/sql.ts'
import * as questions from '../questions/sql.ts'
import { startCommand } from '../tasks/spawn-problems.ts'
import * as notes from '../tasks/sql/notes.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { transition } from '../tasks/transition.ts'

const maxQuotedReason = 80

/** Adds the answer to the task as a note, which the next agent reads in its prompt. */
export const unblockTask = ({ write, session }: Context, id: string, text: string) =>
  write(async (tx) => {
    const task = await tasks.find(tx.db, id)
    if (!task) return fail('task.not_found', { id })
    if (task.status !== 'blocked') return fail('task.status', { id, status: task.status, verb: 'answer' })
    const note = task.reason
      ? `Answer to "${brief(task.reason.replaceAll('"', "'"), maxQuotedReason)}": ${text}`
      : text
    await notes.add(tx.db, { task: id, session: session?.id, at: tx.now, actor: tx.actor.id, text: note })
    await tx.record({ task: id, after: { note } })
    await transition(tx, task, { to: 'pending', event: 'task.unblocked' })
    return ok({ id, answer: 'unblocked', taskId: id, then: await startCommand(tx.db, id) })
  })

interface Decision {
  /** The chosen option; undefined if the person rejects every option. */
  choose?: string
  reason: string
}

/** A person can decide only a consensus whose verdict is `contested`. */
export const decideConsensus = (context: Context, seq: number, { choose, reason }: Decision) =>
  withContractCheck<Decided, DecideCode>(context, numberedId('C', seq), async (tx, permits) => {
    const id = numberedId('C', seq)
    const row = await consensus.find(tx.db, seq)
    if (!row) return fail('consensus.not_found', { id })
    const tallied = await readTally(tx.db, row)
    const { verdict, options, voterTasks } = tallied
    if (row.decided_by !== null) return fail('consensus.over', { id, why: `was ${verdictText(tallied)}` })
    if (verdict !== 'contested') {
      const state = verdict === null ? 'has no verdict yet' : `is ${verdictText(tallied)}`
      return fail('consensus.over', { id, why: `${state}; a person can decide only a contested consensus` })
    }
    const names = options.map(({ option }) => option)
    if (choose !== undefined && !names.includes(choose)) {
      const near = nearest(choose, names)
      const message = `must be one of ${names.join(', ')}${near ? `; did you mean "${near}"?` : ''}`
      return fail('input.invalid', { problems: [{ path: 'choose', message }] })
    }
    const decided = { decision: choose ?? null, reason, decided_by: tx.actor.id, decided_at: tx.now }
    await consensus.decide(tx.db, { seq, ...decided })
    const answer = choose ?? 'none'
    await notes.add(tx.db, {
      task: row.task,
      session: context.session?.id,
      at: tx.now,
      actor: tx.actor.id,
      text: `${id} ${row.question}: ${choose ?? 'none of the options'}. ${reason}`,
    })
    await tx.record({ task: row.task, after: { consensus: id, decision: answer, reason } })
    const { completed, warnings } = await closeDecided(tx, voterTasks[0]?.task, permits)
    return ok({ id, answer, taskId: row.task, ...(completed.length > 0 && { completed }) }, { warnings })
  })

interface Decided {
  id: string
  answer: string
  taskId: string
  /** Tasks that waited only for this decision and are done now. */
  completed?: string[]
}

type DecideCode = 'consensus.not_found' | 'consensus.over' | 'input.invalid'

/**
 * Completes the parent of a voter's task after a person has decided the vote. If the voters decide it themselves, the
 * parent is completed too, but not by this function.
 */
const closeDecided = async (
  tx: Write,
  voterTask: string | undefined,
  permits: Permits,
): Promise<{ completed: string[]; warnings: string[] }> => {
  const voter = voterTask === undefined ? undefined : await tasks.find(tx.db, voterTask)
  const parent = voter?.parent ? await tasks.find(tx.db, voter.parent) : undefined
  if (!voter || !parent || closed(parent.status)) return { completed: [], warnings: [] }
  if (parent.status === 'blocked') await transition(tx, parent, { to: 'pending', event: 'task.unblocked' })
  return completeParents(tx, voter, [], permits)
}

interface QuestionAnswer {
  yes: boolean
  text?: string
}

/**
 * Closes a question. If a person says yes to a waiver, to a changed command or to another testing loop, CLEO carries
 * this out at once. If a person says yes to any other question, the person has to run the command that the result
 * names.
 */
export const closeQuestion = async (context: Context, seq: number, { yes, text }: QuestionAnswer) => {
  const question = await questions.find(context.store, seq)
  const id = numberedId('Q', seq)
  if (!question) return fail('question.not_found', { id })
  const shown = shownQuestion(question)
  const isOpen = question.answered_at === null
  if (yes && isOpen && shown.unanswerable)
    return fail('question.unanswerable', { id, why: shown.unanswerable, fix: commandInstead(shown) })
  const item = yes && isOpen && shown.item ? await presentItem(context, shown.item) : undefined
  if (yes && isOpen && shown.item && !item)
    return fail('question.unanswerable', {
      id,
      why: `${shown.item.name} has changed since the agent asked`,
      fix: 'cleo trust',
    })
  // Grant the waiver before closing the question, so that the question stays open if the waiver is refused.
  if (yes && question.kind === 'waiver' && isOpen) {
    const refused = await grantWaiver(context, question, text)
    if (refused) return refused
  }
  if (item && !context.dryRun) await addTrust(context, [item], 'kept')
  return context.write(async (tx) => {
    const row = (await questions.find(tx.db, seq))!
    if (row.answered_at !== null)
      return fail('question.answered', { id, by: row.answered_by ?? '', answer: row.answer ?? '' })
    const warnings = yes && row.kind === 'stage' ? await moveEpicBack(tx, context, row) : []
    const answer = yes ? 'yes' : 'no'
    await questions.answer(tx.db, {
      ...{ seq, answer, note: text ?? null, answered_by: tx.actor.id, answered_at: tx.now },
    })
    const { task } = row
    if (task) {
      const note = `${id} ${brief(shown.what, mostNoted)}: ${answer}.${text ? ` ${text}` : ''}`
      await notes.add(tx.db, { task, at: tx.now, actor: tx.actor.id, text: note })
    }
    const trusted = item ? { trusted: [key(item)] } : {}
    await tx.record({
      task: task ?? undefined,
      after: { question: id, answer, ...trusted, ...(text && { text }) },
    })
    const then = yes && row.kind === 'person' && !item ? shown.command : undefined
    return ok({ id, answer, ...(task && { taskId: task }), ...(then && { then }) }, { warnings })
  })
}

const mostNoted = 500

/** If a question cannot be answered with yes, returns the command that the person should run. */
const commandInstead = ({ item, command }: ShownQuestion): string =>
  item
    ? 'cleo trust'
    : command
      ? `${command.split(' --')[0]!.split(' ').slice(0, 2).join(' ')} --help`
      : 'cleo help'

/**
 * Searches the project and its worktrees for the item that the person was asked to trust. The item must still have
 * the same text and hash. CLEO then trusts the item that this function returns, never the text of the question.
 */
const presentItem = async (context: Context, asked: Trustable): Promise<Trustable | undefined> => {
  for (const folder of [context.root, ...linkedFolders(context.host, context.root)]) {
    const found = Object.values(await commandsIn(context, folder)).flatMap((command) => [
      command.item,
      ...(command.configured ? [command.configured] : []),
      ...command.programs.map(({ item }) => item),
      ...command.environment(),
    ])
    const same = found.find(
      (item) => key(item) === key(asked) && item.what === asked.what && item.sha256 === asked.sha256,
    )
    if (same?.sha256) return same
  }
  return undefined
}

const grantWaiver = async (context: Context, { asked }: QuestionRow, reason: string | undefined) => {
  const { waiveRequirement, WaiverInput } = await import('../standing/waive.ts')
  const { input } = JSON.parse(asked) as { input?: object }
  const checked = checkInput(WaiverInput, { ...input, ...(reason && { reason }) })
  if (!checked.ok) return fail('input.invalid', { problems: checked.problems })
  const result = await waiveRequirement(context, checked.value)
  return result.ok ? undefined : result
}

const moveEpicBack = async (tx: Write, { config }: Context, { asked }: QuestionRow): Promise<string[]> => {
  const { input } = JSON.parse(asked) as { input: { id: string; to: Stage; reason: string } }
  const epic = await readEpic(tx.db, config, input.id)
  if (epic.ok && epic.progress.current === 'testing' && !epic.progress.over) {
    const moved = await moveBack(tx, epic, { ...input, allowed: true })
    if (moved.ok) return []
  }
  return [`${input.id} is no longer at testing; its stage was not changed`]
}
