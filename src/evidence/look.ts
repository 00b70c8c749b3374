import type { SpawnRow } from '../claims/sql/spawns.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Problem } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { Atom } from './atoms.ts'
import { lookAtCommits, lookAtFiles } from './look-at-files.ts'
import { type Place, silent } from './place.ts'
import type { Evidence } from './recheck.ts'
import type { Seen } from './seen.ts'

export interface Asked {
  task: string
  gate?: Gate
  atoms: readonly Atom[]
  spawn?: SpawnRow
  /** What is known of the task by now. */
  rows: readonly Evidence[]
}

export interface Looked {
  seen: Seen[]
  problems: Problem[]
  warnings: string[]
  /** The project lacks every tool that could show it. */
  isNa: boolean
  /** A tool ran and did not succeed. */
  failed?: string
  tree?: string
}

/** Looks at all that was named, and runs what there is to run once nothing else is wrong. */
export const look = async (context: Context, place: Place, asked: Asked): Promise<Looked> => {
  const looked: Looked = { seen: [], problems: [], warnings: [], isNa: false }
  const { atoms, gate } = asked
  const files = atoms.flatMap((atom) => (atom.kind === 'files' ? atom.paths : []))
  await lookAtFiles(place, files, gate === 'implemented', looked)
  await lookAtCommits(place, atoms, looked)
  const needsGit = ({ kind }: Atom) => kind === 'commit' || kind === 'tool' || gate === 'implemented'
  if (atoms.some(needsGit)) looked.problems.push(...silent(place))
  for (const atom of atoms) {
    if (atom.kind === 'test-run') {
      const { lookAtReport } = await import('./look-at-report.ts')
      lookAtReport(place, atom.path, looked)
    }
    if (atom.kind === 'url' || atom.kind === 'note') looked.seen.push(atom)
  }
  const tools = atoms.flatMap((atom) => (atom.kind === 'tool' ? [atom.tool] : []))
  if (tools.length > 0) {
    const { useTools } = await import('./use-tools.ts')
    await useTools(context, place, asked, tools, looked)
  }
  return looked
}
