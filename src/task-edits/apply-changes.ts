import * as v from 'valibot'
import { innermostSchema } from '../kernel/innermost-schema.ts'
import { type Fault, fail } from '../kernel/result.ts'
import { limits } from '../kernel/task.ts'
import { describe } from '../kernel/text.ts'
import type { Write } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { criteriaMessage, mergeCriteria } from '../tasks/acceptance.ts'
import { cycleThrough } from '../tasks/cycles.ts'
import { editableFields, fieldErrors } from '../tasks/editable-fields.ts'
import { type OptionalField, optionalFields } from '../tasks/field-table.ts'
import { moveTask } from '../tasks/placement.ts'
import * as counts from '../tasks/sql/counts.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { Task } from '../tasks/task-shape.ts'

type OrNone<S extends v.GenericSchema> = v.OptionalSchema<
  v.GenericSchema<v.InferInput<S> | 'none', v.InferOutput<S> | 'none'>,
  undefined
>

/** `none` empties the field. */
const orNone = (schema: v.GenericSchema): OrNone<v.GenericSchema> => {
  const { options } = innermostSchema(schema)
  const accepted = options
    ? v.picklist([...(options as string[]), 'none'])
    : v.union([v.literal('none'), schema])
  return v.optional(describe(accepted, `${v.getDescription(schema)}, or \`none\``))
}

const optionalField = <S extends v.GenericSchema>(schema: S, sentence: string) =>
  v.optional(describe(schema, sentence))

/** The input fields of `update`, apart from the id. */
export const changeFields = {
  ...v.partial(v.strictObject(editableFields)).entries,
  ...(Object.fromEntries(optionalFields.map((name) => [name, orNone(editableFields[name])])) as {
    [K in OptionalField]: OrNone<(typeof editableFields)[K]>
  }),
  type: optionalField(
    editableFields.type,
    'the new type; if you give only --parent, the type that fits is set',
  ),
  priority: optionalField(editableFields.priority, 'the new priority'),
  depends: optionalField(
    editableFields.depends,
    'tasks that must be done first; replaces all current dependencies',
  ),
  labels: optionalField(editableFields.labels, 'the new labels; they replace all current labels'),
  files: optionalField(
    editableFields.files,
    'files, folders or globs that the task will change; replaces the current list',
  ),
  acceptance: optionalField(
    editableFields.acceptance,
    'acceptance criteria, each checked separately; replaces the current list',
  ),
  addDepends: optionalField(editableFields.depends, 'dependencies to add'),
  removeDepends: optionalField(editableFields.depends, 'dependencies to remove'),
  addLabels: optionalField(editableFields.labels, 'labels to add'),
  removeLabels: optionalField(editableFields.labels, 'labels to remove'),
  addFiles: optionalField(editableFields.files, 'files to add'),
  removeFiles: optionalField(editableFields.files, 'files to remove'),
  addAcceptance: optionalField(editableFields.acceptance, 'criteria to add'),
  removeAcceptance: optionalField(editableFields.acceptance, 'criteria to remove, by their text'),
  // People and agents try `--status`. The flag exists only so that its refusal can name the command that changes
  // the status.
  status: optionalField(
    v.string(),
    'cannot be set here; use complete, cancel, block, unblock, reopen or focus set',
  ),
}
export type Changes = { -readonly [K in keyof typeof changeFields]?: v.InferOutput<(typeof changeFields)[K]> }

export const updateCodes = ['task.not_found', 'task.status_verb', ...fieldErrors, 'claim.held'] as const
export type UpdateCode = (typeof updateCodes)[number]

/** Collects all problems of the input. A refusal rolls back all changes. */
export const applyChanges = async (
  write: Write,
  row: TaskRow,
  input: Changes,
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

  const emptied = optionalFields.filter((name) => input[name] === 'none').map((name) => [name, null])
  await tasks.patchFields(write.db, row.id, {
    ...(input as tasks.TaskFields),
    ...Object.fromEntries(emptied),
  })
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

const updateLists = async ({ db }: Write, row: TaskRow, input: Changes): Promise<Lists> => {
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
  // Check the limit only if the list grows. A task can have more criteria if it got them before the limit existed.
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

/** Returns undefined if the input changes nothing in the list. */
const mergeList = async (
  read: () => Promise<string[]>,
  set?: string[],
  add?: string[],
  remove?: string[],
): Promise<string[] | undefined> => {
  if (!set && !add && !remove) return undefined
  return [...new Set([...(set ?? (await read())), ...(add ?? [])])].filter((item) => !remove?.includes(item))
}

/** Returns the fields that differ, in the form in which the audit log records them. */
export const difference = (before: Task, after: Task): { before: object; after: object } | undefined => {
  const changed = Object.keys({ ...before, ...after } as Task).filter(
    (key) => JSON.stringify(before[key as keyof Task]) !== JSON.stringify(after[key as keyof Task]),
  )
  if (changed.length === 0) return undefined
  const only = (task: Task) =>
    Object.fromEntries(changed.map((key) => [key, task[key as keyof Task] ?? null]))
  return { before: only(before), after: only(after) }
}
