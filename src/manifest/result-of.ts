import { brief } from '../print/brief.ts'
import type { Db } from '../store/port.ts'
import type { Entry } from './entry.ts'
import * as entries from './sql/entries.ts'

const mostFindings = 5
/** A finding is cut after this many bytes. `cleo manifest show` prints it in full. */
const mostBytes = 300

export const resultOf = async (db: Db, task: string): Promise<{ findings?: string[]; output?: string }> => {
  const { rows } = await entries.list(db, { task }, { limit: 1 })
  if (!rows[0]) return {}
  const { key_findings: findings = [], file } = JSON.parse(rows[0].body) as Partial<Entry>
  return {
    ...(findings.length > 0 && {
      findings: findings.slice(0, mostFindings).map((text) => brief(String(text), mostBytes)),
    }),
    ...(file && { output: file }),
  }
}
