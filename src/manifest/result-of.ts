import { brief } from '../print/brief.ts'
import type { Db } from '../store/port.ts'
import type { Entry } from './entry.ts'
import * as entries from './sql/entries.ts'

const mostFindings = 5
/** The most bytes of a finding, which is one sentence. `cleo manifest show` prints a longer finding in full. */
const mostBytes = 300

/** Returns what the newest entry of a task found, and its output file. */
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
