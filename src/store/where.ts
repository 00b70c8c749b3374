import type { Param } from './port.ts'

export interface Where {
  sql: string
  params: Param[]
}

/** Joins conditions with AND: `where({ 'task = ?': task })`. Leaves out conditions whose value is undefined. */
export const where = (conditions: Record<string, Param | readonly Param[] | undefined>): Where => {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined)
  return {
    sql: given.length > 0 ? `WHERE ${given.map(([condition]) => condition).join(' AND ')}` : '',
    params: given.flatMap(([, value]) => value as Param | Param[]),
  }
}
