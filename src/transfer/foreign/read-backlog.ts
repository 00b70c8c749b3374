import type { Host } from '../../host/host.ts'
import type { Problem } from '../../kernel/result.ts'
import type { Status } from '../../kernel/task.ts'
import { sections } from '../../markdown/headings.ts'
import { readHead } from '../../skills/skill-fields.ts'
import { type ForeignProject, type ForeignTask, fieldReader } from './foreign-task.ts'

const tool = 'Backlog.md'

/** If a folder has a `status`, its tasks get that status. */
const folders: readonly { path: string; status?: Status; reason?: string }[] = [
  { path: 'tasks' },
  { path: 'drafts', status: 'blocked', reason: `a draft in ${tool}` },
  { path: 'completed', status: 'done' },
  { path: 'archive/tasks', status: 'cancelled', reason: `archived in ${tool}` },
]
const statuses: Readonly<Record<string, Status>> = {
  'to-do': 'pending',
  todo: 'pending',
  'in-progress': 'active',
  blocked: 'blocked',
  done: 'done',
}
const priorities = { high: 'high', medium: 'medium', low: 'low' } as const

const mostBytes = 1024 * 1024
const mostFiles = 100_000

export const isBacklog = async ({ files }: Host, folder: string): Promise<boolean> => {
  const found = await files.findInside(folder, 'tasks/*.md', mostFiles)
  return found.ok && found.paths.length > 0
}

/** Reads a `backlog` folder: one file for each task. A milestone becomes an epic. */
export const readBacklog = async ({ files }: Host, folder: string): Promise<ForeignProject> => {
  const tasks: ForeignTask[] = []
  const problems: Problem[] = []
  for (const place of folders) {
    const found = await files.findInside(folder, `${place.path}/*.md`, mostFiles)
    for (const path of found.ok ? found.paths : []) {
      const read = await files.readInside(folder, path, mostBytes)
      if (!read.ok) {
        problems.push({ path, message: read.why })
        continue
      }
      const head = await readHead(read.text)
      if (!head.ok) {
        // Backlog.md keeps a readme among the tasks. So report an unreadable file only if it is named like a task.
        if (/^\D+-\d/.test(path.slice(place.path.length + 1)))
          problems.push({ path: `${path}, line ${head.line}`, message: head.why })
        continue
      }
      const fields = Object.fromEntries([...head.fields].map(([name, { value }]) => [name, value]))
      tasks.push({ ...taskOf(fields, head.body), ...statusOf(place, fields['status']) })
    }
  }
  return { tool, tasks: tasks.map(sameCase(tasks)), left: [], problems }
}

const statusOf = (
  { status, reason }: (typeof folders)[number],
  written: unknown,
): Pick<ForeignTask, 'status' | 'reason'> => {
  const given = fieldReader({ written }).word('written', statuses)
  if (status && !(given === 'done' && status === 'cancelled')) return { status, reason }
  return { status: given ?? 'pending', ...(given === 'blocked' && { reason: `blocked in ${tool}` }) }
}

const taskOf = (record: Record<string, unknown>, body: string): Omit<ForeignTask, 'status'> => {
  const fields = fieldReader(record)
  const milestone = fields.text('milestone')
  const known = fields.word('status', statuses)
  // Read the list of subtasks only to drop it: each child names its parent in its own file.
  fields.list('subtasks')
  return {
    id: fields.text('id'),
    title: fields.text('title'),
    description: [fields.text('description'), withoutCriteria(body)]
      .filter((text) => text !== '')
      .join('\n\n'),
    parent: fields.text('parent_task_id') || undefined,
    ...(milestone !== '' && { group: milestone }),
    priority: fields.word('priority', priorities),
    labels: fields.list('labels'),
    depends: fields.list('dependencies'),
    criteria: criteriaIn(body),
    notes: [],
    createdAt: fields.time('created_date'),
    updatedAt: fields.time('updated_date'),
    completedAt: fields.time('completed_date'),
    others: { ...(known === undefined && { status: record['status'] }), ...fields.others() },
  }
}

const criteriaSection = (body: string) =>
  sections(body).find(({ title }) => title.toLowerCase().startsWith('acceptance criteria'))

const boxes = /^\s*[-*+] \[[ xX]\]\s+(?:#\d+\s+)?(\S.*)$/gm

const criteriaIn = (body: string): string[] => {
  const section = criteriaSection(body)
  if (!section) return []
  return [...body.slice(section.start, section.end).matchAll(boxes)].map(([, text]) => text!.trim())
}

/**
 * Removes the section with the criteria, because CLEO stores the criteria separately. Also removes the comments that
 * mark sections, and the heading of the description.
 */
const withoutCriteria = (body: string): string => {
  const section = criteriaSection(body)
  const rest = section ? body.slice(0, section.start) + body.slice(section.end) : body
  return rest
    .replaceAll(/^<!-- (?:AC|SECTION):.*-->\n?/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\s*## Description\n+/, '')
    .trim()
}

/**
 * Returns a function that corrects upper and lower case in the ids that a task names. For example, a task can name
 * its parent `task-7` although the id of the parent is `TASK-7`.
 */
const sameCase = (all: readonly ForeignTask[]) => {
  const ids = new Map(all.map(({ id }) => [id.toLowerCase(), id]))
  const known = (id: string): string => ids.get(id.toLowerCase()) ?? id
  return (task: ForeignTask): ForeignTask => ({
    ...task,
    ...(task.parent !== undefined && { parent: known(task.parent) }),
    depends: task.depends.map(known),
  })
}
