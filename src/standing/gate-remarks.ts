import * as spawns from '../claims/sql/spawns.ts'
import { readEvidence } from '../evidence/evidence.ts'
import * as evidence from '../evidence/sql.ts'
import type { Db } from '../store/port.ts'
import { waiverOf } from './gate-standing.ts'

export const gateRemarks = async (db: Db, task: string): Promise<string[]> => {
  const spawn = (await spawns.lastAttempt(db, task))?.id ?? null
  const rows = (await evidence.ofGates(db, task)).map(readEvidence)
  return rows.flatMap((row) => {
    if (row.state === 'waived') return [`${row.gate} was waived ${waiverOf(row)}`]
    if (row.spawn !== spawn || row.state !== 'passed') return []
    return row.atoms.flatMap((atom) => (atom.kind === 'warning' ? [`${row.gate}: ${atom.text}`] : []))
  })
}
