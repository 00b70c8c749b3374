import type { Problem } from '../kernel/result.ts'
import { type Fields, isObject } from './pieces.ts'

/** What somebody hands in: JSON, flags, or both. */
export interface GivenEntry {
  entry?: string
  status?: string
  finding?: string[]
  followup?: string[]
  blocker?: string
  text?: string
  alternative?: string[]
  warning?: string[]
  topic?: string[]
  linkedTask?: string[]
  task?: string
  file?: string
  title?: string
  agentType?: string
  id?: string
  revises?: string
}

/** The fields that were given, flags over JSON. */
export const fieldsOf = (given: GivenEntry): { fields: Fields; problems: Problem[] } => {
  const json = given.entry === undefined ? { fields: {} } : parsed(given.entry)
  if ('problem' in json) return { fields: {}, problems: [{ path: 'entry', message: json.problem }] }
  const { blocker: before } = json.fields
  const blocker = { category: given.blocker, text: given.text, alternatives: given.alternative }
  const flags: Fields = {
    status: given.status,
    key_findings: given.finding,
    needs_followup: given.followup,
    warnings: given.warning,
    topics: given.topic,
    linked_tasks: given.linkedTask,
    file: given.file,
    title: given.title,
    agent_type: given.agentType,
    id: given.id,
    revises: given.revises,
    ...(Object.values(blocker).some((value) => value !== undefined) && {
      blocker: { ...(isObject(before) ? before : {}), ...defined(blocker) },
    }),
  }
  return { fields: { ...json.fields, ...defined(flags) }, problems: [] }
}

const defined = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const mostGiven = 1024 * 1024

const parsed = (text: string): { fields: Fields } | { problem: string } => {
  if (text.length > mostGiven) return { problem: 'is far larger than an entry may be' }
  try {
    const value: unknown = JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text)
    return isObject(value) ? { fields: value } : { problem: 'is JSON, but no object' }
  } catch {
    return { problem: 'is not JSON: an object such as {"status":"complete","key_findings":["…"]}' }
  }
}
