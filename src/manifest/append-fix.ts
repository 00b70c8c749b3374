import type { Problem } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'

/** The command again, with what it lacked. */
export const fixOf = ({ path }: Problem, actor: string, task: string): Pick<Problem, 'fix'> => {
  const said = lacking[path]
  const who = parseSpawnId(actor) ? `--as ${actor}` : `--task ${task}`
  return said ? { fix: `cleo manifest append ${said} ${who}` } : {}
}

const finding = '--finding "<one sentence>"'
const blocked = '--status blocked --blocker "missing context" --text "<why>"'
const lacking: Record<string, string> = {
  status: `--status complete ${finding}`,
  key_findings: `--status complete ${finding} ${finding} ${finding}`,
  needs_followup: '--status partial --followup "<what is left>"',
  'blocker.category': blocked,
  'blocker.text': blocked,
}
