import * as v from 'valibot'
import type { Config } from '../../kernel/config.ts'
import { type Fault, fail, failAll, ok } from '../../kernel/result.ts'
import { closed, limits } from '../../kernel/task.ts'
import { TaskId } from '../../kernel/task-id.ts'
import { describe } from '../../kernel/text.ts'
import { shortTimeWarning, timeWarning } from '../../kernel/time-estimates.ts'
import type { Write } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { attempt } from '../../operation/write.ts'
import type { Db } from '../../store/port.ts'
import type { TaskRow } from '../../store/rows.ts'
import { criteriaMessage, mergeCriteria } from '../acceptance.ts'
import { cycleThrough } from '../cycles.ts'
import { editableFields, fieldErrors } from '../editable-fields.ts'
import { refuseContractChange, refuseForeignTask } from '../own-work.ts'
import { moveTask } from '../placement.ts'
import { readTask } from '../read-task.ts'
import { spawnWarnings } from '../spawn-problems.ts'
import * as counts from '../sql/counts.ts'
import * as criteria from '../sql/criteria.ts'
import * as lists from '../sql/lists.ts'
import * as tasks from '../sql/tasks.ts'
import type { Task } from '../task-shape.ts'
import { claimedByOther } from '../transition.ts'

const { parent, ...others } = editableFields
const optionalField = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.optional(describe(schema, sentence))

const Input = v.strictObject({
  id: describe(TaskId, 'the task'),
  ...v.partial(v.strictObject(others)).entries,
  parent: optionalField(v.union([v.literal('none'), parent]), 'the new parent, or `none`'),
  addDepends: optionalField(editableFields.depends, 'dependencies to add'),
  removeDepends: optionalField(editableFields.depends, 'dependencies to remove'),
  addLabels: optionalField(editableFields.labels, 'labels to add'),
  removeLabels: optionalField(editableFields.labels, 'labels to remove'),
  addFiles: optionalField(editableFields.files, 'files to add'),
  removeFiles: optionalField(editableFields.files, 'files to remove'),
  addAcceptance: optionalField(editableFields.acceptance, 'criteria to add'),
  removeAcceptance: optionalField(editableFields.acceptance, 'criteria to remove, by their text'),
  // Accepted only to be refused with the command that changes the status: people and agents try it.
  status: optionalField(v.string(), 'refused: use complete, cancel, block, unblock, reopen or focus set'),
})
type Input = v.InferOutput<typeof Input>

const errors = ['task.not_found', 'task.status_verb', ...fieldErrors, 'claim.held'] as const
type UpdateCode = (typeof errors)[number]

export const update = operation({
  name: 'tasks.update',
  kind: 'mutate',
  tier: 1,
  summary: "Edit a task's fields. For status use complete, block or cancel.",
  input: Input,
  output: () =>
    v.object({ id: v.string(), changed: v.array(v.string()), noChange: v.optional(v.literal(true)) }),
  errors,
  tool: ['id', 'title', 'description', 'addDepends', 'removeDepends', 'files', 'priority', 'size'],
  cli: {
    command: 'update',
    also: ['edit'],
    suggestedFor: ['set', 'move', 'mv', 'rename', 'modify', 'change', 'depend', 'label', 'tag'],
    positional: ['id'],
    examples: [
      'cleo update T012 --priority high',
      'cleo update T012 --add-depends T009 --remove-labels draft',
    ],
  },
  human: ({ id, changed, noChange }, style) => [
    noChange ? `${style.cyan(id)} is unchanged.` : `${style.cyan(id)} changed: ${changed.join(', ')}`,
  ],
  async examine({ id, ...fit }, { write }) {
    const faults: Fault<UpdateCode>[] = []
    if (id === undefined) return faults
    await attempt(write, async (tx) => {
      const row = await tasks.find(tx.db, id)
      if (row) await apply(tx, row, fit, faults)
      else faults.push({ path: 'id', failure: fail('task.not_found', { id }) })
    })
    return faults
  },
  run: (input, { actor, write, config }) =>
    write(async (tx) => {
      const row = await tasks.find(tx.db, input.id)
      if (!row) return fail('task.not_found', { id: input.id })
      if (Object.keys(input).length === 1) return fail('input.invalid', { problems: [nothingGiven] })
      const held = actor.agent ? await claimedByOther(tx, row.id, actor) : undefined
      if (held) return held
      await refuseForeignTask(tx, row, 'change')
      await refuseContractChange(tx, row, Object.keys(input))
      const before = await readTask(tx.db, row)
      const faults: Fault<UpdateCode>[] = []
      await apply(tx, row, input, faults)
      if (faults.length > 0) return failAll(faults as [Fault<UpdateCode>, ...Fault<UpdateCode>[]])
      const after = await readTask(tx.db, (await tasks.find(tx.db, row.id))!)
      const change = difference(before, after)
      if (!change) return ok({ id: row.id, changed: [], noChange: true as const })
      await tasks.touch(tx.db, row.id, tx.now)
      await tx.record({ task: row.id, ...change })
      tx.emit('task.updated', row.id)
      const warnings = [
        ...shortTimeWarning('title', input.title ?? ''),
        ...timeWarning('description', input.description ?? ''),
        ...timeWarning(
          'acceptance',
          [...(input.acceptance ?? []), ...(input.addAcceptance ?? [])].join('\n'),
        ),
        ...(await lackingForSpawn(tx.db, after, config)),
      ]
      return ok({ id: row.id, changed: Object.keys(change.after) }, { warnings })
    }),
})

const lackingForSpawn = async (db: Db, task: Task, config: Config): Promise<string[]> => {
  const row = (await tasks.find(db, task.id))!
  const root = row.root === row.id ? row : await tasks.find(db, row.root)
  if (closed(row.status) || !root) return []
  const { acceptance = [], files = [] } = task
  const undescribed = row.description.trim() === '' && acceptance.length === 0
  return spawnWarnings([{ ...row, rootType: root.type, files, undescribed }], config)
}

const nothingGiven = { path: '', message: 'No field to change was given.', fix: 'cleo update --help' }

/** Changes the row and its lists, and collects all faults of the input. A refusal rolls back all changes. */
const apply = async (
  write: Write,
  row: TaskRow,
  input: Omit<Input, 'id'>,
  faults: Fault<UpdateCode>[],
): Promise<void> => {
  if (input.status !== undefined)
    faults.push({
      path: 'status',
      failure: fail('task.status_verb', { id: row.id, from: row.status, to: input.status }),
    })
  if (input.parent !== undefined || input.type !== undefined) {
    for (const failure of await moveTask(write, row, input.parent, input.type))
      faults.push({ path: 'parent', failure })
  }
  const needs = await mergeList(
    () => lists.read(write.db, 'depends', row.id),
    input.depends,
    input.addDepends,
    input.removeDepends,
  )
  const known = needs ? await tasks.findMany(write.db, needs) : new Map()
  const missing = needs?.filter((id) => !known.has(id)) ?? []
  if (missing.length > 0)
    faults.push({ path: 'depends', failure: fail('dependency.not_found', { ids: missing }) })

  await tasks.patchFields(write.db, row.id, input)
  faults.push(...listLimitFaults({ depends: needs, ...(await updateLists(write, row, input)) }))
  if (needs)
    await replaceNeeds(
      write,
      row,
      needs.filter((id) => known.has(id)),
    )
  const moved = needs !== undefined || input.parent !== undefined
  const cycle = moved ? await cycleThrough(write.db, [row.id]) : undefined
  if (cycle) faults.push({ path: 'depends', failure: cycle })
}

const replaceNeeds = async ({ db }: Write, row: TaskRow, needs: string[]): Promise<void> => {
  const before = await lists.read(db, 'depends', row.id)
  await lists.replace(db, 'depends', row.id, needs)
  if (row.status !== 'done' && row.status !== 'cancelled') {
    await lists.countDependents(db, before, -1)
    await lists.countDependents(db, needs, 1)
  }
  await counts.recountBlockers(db, row.id)
}

/** Returns the new content of the lists that were changed. */
const updateLists = async ({ db }: Write, row: TaskRow, input: Omit<Input, 'id'>): Promise<Lists> => {
  const labels = await mergeList(
    () => lists.read(db, 'labels', row.id),
    input.labels,
    input.addLabels,
    input.removeLabels,
  )
  if (labels) await lists.replace(db, 'labels', row.id, labels)
  const files = await mergeList(
    () => lists.read(db, 'files', row.id),
    input.files,
    input.addFiles,
    input.removeFiles,
  )
  if (files) await lists.replace(db, 'files', row.id, files)

  const { acceptance, addAcceptance, removeAcceptance, description } = input
  if (!acceptance && !addAcceptance && !removeAcceptance && description === undefined)
    return { labels, files }
  const before = await criteria.read(db, row.id)
  const given = before.filter(({ source }) => source === 'given').map(({ text }) => text)
  const wanted = await mergeList(async () => given, acceptance, addAcceptance, removeAcceptance)
  const merged = mergeCriteria(wanted ?? given, description ?? row.description, before)
  await criteria.replace(db, row.id, merged)
  // A task that had more criteria before there was a limit may keep them.
  const grown = merged.length > before.length ? merged.map(({ text }) => text) : undefined
  return { labels, files, acceptance: grown }
}

type Lists = Partial<Record<'depends' | 'labels' | 'files' | 'acceptance', string[]>>

const listLimits = {
  depends: limits.depends,
  labels: limits.labels,
  files: limits.files,
  acceptance: limits.criteria,
}

/** The limit applies to the whole list, not only to the added values. */
const listLimitFaults = (all: Lists): Fault<UpdateCode>[] =>
  Object.entries(all).flatMap(([path, list]) => {
    const limit = listLimits[path as keyof Lists]
    if (!list || list.length <= limit) return []
    const message =
      path === 'acceptance'
        ? criteriaMessage(list.length)
        : `would have ${list.length} items; the limit is ${limit}`
    const problems = [{ path, message }]
    return [{ path, failure: fail('input.invalid', { problems }) }]
  })

/** Returns the list after replacing, adding and removing; undefined if the input changes nothing in it. */
const mergeList = async (
  read: () => Promise<string[]>,
  set?: string[],
  add?: string[],
  remove?: string[],
): Promise<string[] | undefined> => {
  if (!set && !add && !remove) return undefined
  return [...new Set([...(set ?? (await read())), ...(add ?? [])])].filter((item) => !remove?.includes(item))
}

const difference = (before: Task, after: Task): { before: object; after: object } | undefined => {
  const changed = Object.keys({ ...before, ...after } as Task).filter(
    (key) => JSON.stringify(before[key as keyof Task]) !== JSON.stringify(after[key as keyof Task]),
  )
  if (changed.length === 0) return undefined
  const only = (task: Task) =>
    Object.fromEntries(changed.map((key) => [key, task[key as keyof Task] ?? null]))
  return { before: only(before), after: only(after) }
}
