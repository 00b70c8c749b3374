import { optionsOf } from '../claims/sql/spawns.ts'
import type { Context } from '../operation/context.ts'
import { lookAtOutput } from '../output/output-file.ts'
import { workFoldersIn } from '../output/work-folders.ts'
import type { StoreCheck } from './check.ts'
import { type Finding, open } from './finding.ts'
import { type HandedIn, handedIn } from './sql/entries.ts'

/** Reading every file ever written takes too long; the newest are the ones that others build on. */
const newest = 1000
const most = 5

export const outputs: StoreCheck = {
  id: 'outputs',
  needs: 'store',
  asks: `Are the output files of the newest ${newest} entries there, as they were handed in?`,
  async look(context) {
    const found: Finding[] = []
    const seen = new Set<string>()
    for (const entry of await handedIn(context.store, newest)) {
      const file = fileOf(entry)
      const key = `${entry.place}\n${file}`
      // An older entry on the same file spoke of an earlier state of it.
      if (seen.has(key)) continue
      seen.add(key)
      const fault = await faultOf(context, entry, file)
      if (fault) found.push(fault)
      if (found.length === most) break
    }
    return found
  },
}

const fileOf = ({ body }: HandedIn): string => (JSON.parse(body) as { file: string }).file

const faultOf = async (context: Context, entry: HandedIn, file: string): Promise<Finding | undefined> => {
  const there = await lookIn(context, entry, entry.place || context.root)
  // What was done in a worktree is merged, and the worktree taken away.
  const now = there.sha256 === undefined && entry.place ? await lookIn(context, entry, context.root) : there
  if (now.sha256 === entry.sha256) return undefined
  const gone = now.sha256 === undefined
  return open({
    kind: 'file',
    severity: gone ? 'error' : 'warning',
    what: `${file}, the output of ${entry.id}, ${gone ? (now.why ?? 'is not there') : 'was changed since it was handed in'}`,
    why: gone ? 'whoever builds on that work finds nothing' : 'what was judged is not what stands there now',
    where: file,
    ...(gone && {
      advice: `Bring it back, from version control or from ${entry.place || 'where it was made'}`,
    }),
    fix: `cleo manifest show ${entry.id}`,
  })
}

const lookIn = (context: Context, entry: HandedIn, work: string) =>
  lookAtOutput(
    context,
    workFoldersIn(context, work, optionsOf(entry.asked === null ? undefined : { asked: entry.asked })),
    fileOf(entry),
  )
