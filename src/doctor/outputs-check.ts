import { optionsOf } from '../claims/sql/spawns.ts'
import type { Context } from '../operation/context.ts'
import { inspectOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, manualFinding, mostShown } from './doctor-finding.ts'
import { type EntryWithOutput, entriesWithOutput } from './sql/entries.ts'

/** Only this many of the newest entries are checked, because reading every output file takes too long. */
const newest = 1000

export const outputs: StoreCheck = {
  id: 'outputs',
  needs: 'store',
  question: `Are the output files of the newest ${newest} entries unchanged since they were submitted?`,
  async find(context) {
    const found: DoctorFinding[] = []
    const seen = new Set<string>()
    for (const entry of await entriesWithOutput(context.store, newest)) {
      const file = fileOf(entry)
      const key = `${entry.place}\n${file}`
      // Skip older entries of the same file, because they recorded the hash of an earlier version.
      if (seen.has(key)) continue
      seen.add(key)
      const fault = await faultOf(context, entry, file)
      if (fault) found.push(fault)
      if (found.length === mostShown) break
    }
    return found
  },
}

const fileOf = ({ body }: EntryWithOutput): string => (JSON.parse(body) as { file: string }).file

const faultOf = async (
  context: Context,
  entry: EntryWithOutput,
  file: string,
): Promise<DoctorFinding | undefined> => {
  const first = await outputIn(context, entry, entry.place || context.root)
  // If the worktree was removed after a merge, the file is in the project folder.
  const now = first.sha256 === undefined && entry.place ? await outputIn(context, entry, context.root) : first
  if (now.sha256 === entry.sha256) return undefined
  const gone = now.sha256 === undefined
  return manualFinding({
    kind: 'file',
    severity: gone ? 'error' : 'warning',
    what: `${file}, the output of ${entry.id}, ${gone ? (now.why ?? 'does not exist') : 'has changed since it was submitted'}`,
    why: gone
      ? 'agents of later tasks cannot read it'
      : 'evidence and compliance were checked against the old text',
    where: file,
    ...(gone && {
      advice: `Restore it from version control${entry.place ? ` or from ${entry.place}` : ''}`,
    }),
    fix: `cleo manifest show ${entry.id}`,
  })
}

const outputIn = (context: Context, entry: EntryWithOutput, work: string) =>
  inspectOutput(
    context,
    workFoldersIn(context, work, optionsOf(entry.asked === null ? undefined : { asked: entry.asked })),
    fileOf(entry),
  )
