import type { Atom } from '../../contract/evidence/atoms.ts'
import { toolsFor } from '../../contract/evidence/proofs.ts'
import type { Seen } from '../../contract/evidence/seen.ts'
import type { Tool } from '../../model/config-words.ts'
import type { Gate } from '../../model/protocol.ts'
import type { Problem } from '../../model/result.ts'
import type { SpawnRow } from '../../store/spawns.ts'
import type { Context } from '../context.ts'
import { type Evidence, madeBy } from '../contract/recheck.ts'
import { pinsOf } from '../spawn/pins.ts'
import { type Allowed, allowedCommands } from './allowed-command.ts'
import { lookAtCommits, lookAtFiles, lookAtReport } from './look-at-files.ts'
import type { Place } from './place.ts'
import { runTool } from './run-tool.ts'

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
  for (const atom of atoms) {
    if (atom.kind === 'test-run') await lookAtReport(place, atom.path, looked)
    if (atom.kind === 'url' || atom.kind === 'note') looked.seen.push(atom)
  }
  const tools = atoms.flatMap((atom) => (atom.kind === 'tool' ? [atom.tool] : []))
  if (tools.length > 0) await useTools(context, place, asked, tools, looked)
  return looked
}

const useTools = async (
  context: Context,
  place: Place,
  asked: Asked,
  tools: readonly Tool[],
  looked: Looked,
): Promise<void> => {
  const allowed = await allowedCommands(context, place.folder, pinsOf(asked.spawn))
  const plans = tools.map((tool) => [tool, allowed(tool)] as const)
  for (const [tool, plan] of plans) {
    if (plan.state === 'refused')
      looked.problems.push({
        path: `tool:${tool}`,
        message: plan.why,
        ...(plan.personCanAccept && { fix: 'cleo trust' }),
      })
    if (plan.state === 'runs') looked.warnings.push(...plan.warnings)
    if (plan.state === 'none') lacksTool(tool, asked.gate, allowed, looked)
  }
  if (looked.problems.length > 0) return
  for (const [tool, plan] of plans) {
    if (plan.state !== 'runs' || looked.failed) continue
    if (context.dryRun) {
      looked.warnings.push(`would run: ${plan.words.join(' ')}`)
      continue
    }
    const name = asked.spawn?.id ?? asked.task
    const made = madeBy([...asked.rows])
    const run = await runTool(context, place, { tool, words: plan.words, name, made })
    looked.seen.push(run.seen)
    looked.tree = run.tree
    if (run.failed) looked.failed = run.failed
  }
}

/** Not applicable where the project has nothing that could show it; else the one it has is to be used. */
const lacksTool = (
  tool: Tool,
  gate: Gate | undefined,
  allowed: (tool: Tool) => Allowed,
  looked: Looked,
): void => {
  const others = (gate && toolsFor[gate]) ?? [tool]
  const there = others.find((other) => allowed(other).state !== 'none')
  if (gate && !there) {
    looked.isNa = true
    looked.seen.push({ kind: 'tool', tool, command: '' })
    return
  }
  const instead = there ? `; it has tool:${there}` : ''
  looked.problems.push({ path: `tool:${tool}`, message: `this project has no command for ${tool}${instead}` })
}
