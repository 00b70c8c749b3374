import { sha256 } from '../host/sha256.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { ok, Refused } from '../kernel/result.ts'
import { parseSpawnId, parseTaskId } from '../kernel/task-id.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Operation } from '../operation/operation.ts'
import { writer } from '../operation/write.ts'
import { brief } from '../print/brief.ts'
import { key, type Trustable } from '../project/trust-records.ts'
import type { Db } from '../store/port.ts'
import { isPostgresAddress, shownAddress } from '../store/postgres/address.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type CallInput, shownQuestion } from './shown-question.ts'
import * as questions from './sql.ts'

/**
 * At most this many questions are open at a time, so that an agent in a loop cannot hide the questions of others.
 */
const mostOpen = 200
const mostKept = 16 * 1024

/** Returns the question's id if the question was recorded. */
export const ask = async (
  operation: Pick<Operation, 'name'>,
  { given, checked }: { given: CallInput; checked: CallInput },
  context: Context,
): Promise<string | undefined> => {
  const shown = withoutSecrets(given)
  const kept = JSON.stringify({ operation: operation.name, input: shown })
  const whole = kept.length <= mostKept
  return store(context, operation.name, checked, {
    kind: operation.name === 'verify.waive' ? 'waiver' : 'person',
    matter: requestKey(operation.name, withoutSecrets(checked)),
    asked: whole ? kept : JSON.stringify({ operation: operation.name }),
  })
}

/**
 * Asks a person to trust the current version of an item. An agent may not trust the item, because the agent might have
 * changed it. Returns the id of the question, or undefined if the question could not be recorded. In both cases, the
 * caller refuses the agent.
 */
export const askTrust = async (
  context: Context,
  task: string,
  item: Trustable,
  why: string,
): Promise<string | undefined> => {
  if (context.dryRun) return undefined
  try {
    return await store(
      context,
      trustOperation,
      { id: task },
      {
        kind: 'person',
        matter: `trust ${key(item)} ${item.sha256}`,
        asked: JSON.stringify({ operation: trustOperation, item, why }),
      },
    )
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  }
}

export const trustOperation = 'admin.trust'

type NewQuestion = Pick<questions.QuestionRow, 'kind' | 'matter' | 'asked'>

const store = async (
  context: Context,
  operation: string,
  input: CallInput,
  question: NewQuestion,
): Promise<string | undefined> => {
  const result = await writer(
    context,
    'inbox.ask',
  )(async (tx) => {
    const task = await taskOf(tx.db, input, tx.actor.id)
    return ok(await recordQuestion(tx, operation, task, question))
  })
  return result.ok ? result.value : undefined
}

/**
 * Records a question in the transaction of another change. Returns the id of the question, or undefined if too many
 * questions are open.
 */
export const recordQuestion = async (
  tx: Write,
  operation: string,
  task: string | undefined,
  question: NewQuestion,
): Promise<string | undefined> => {
  if ((await questions.countUnanswered(tx.db)) >= mostOpen) return undefined
  const shown = shownQuestion({ ...question, question: '' })
  const asked = {
    ...question,
    question: brief(shown.what, 500),
    task: task ?? null,
    actor: tx.actor.id,
    at: tx.now,
  }
  const { seq, isNew } = await questions.ask(tx.db, asked)
  const id = numberedId('Q', seq)
  if (isNew) await tx.record({ task, after: { question: id, operation } })
  return id
}

/** The reason is not part of the key, so that the same request with another reason does not add a second question. */
const requestKey = (name: string, { reason: _, ...input }: CallInput): string => {
  const request = `${name} ${JSON.stringify(input)}`
  return request.length > 300 ? `${name} ${sha256(request)}` : request
}

const withoutSecrets = (input: CallInput): CallInput =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [
      key,
      typeof value === 'string' && isPostgresAddress(value) ? shownAddress(value) : value,
    ]),
  )

/** Returns the task that the input names, else the task for which the agent was spawned. */
const taskOf = async (db: Db, { id }: CallInput, actor: string): Promise<string | undefined> => {
  const named = (typeof id === 'string' ? parseTaskId(id) : undefined) ?? parseSpawnId(actor)?.task
  return named && (await tasks.find(db, named)) ? named : undefined
}
