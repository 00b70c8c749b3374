import { type AllowedCommand, allowedCommands } from '../commands/allowed-command.ts'
import type { Tool } from '../kernel/config-words.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Context } from '../operation/context.ts'
import type { Asked, Looked } from './look.ts'
import { pinsOf } from './pins.ts'
import type { Place } from './place.ts'
import { toolsFor } from './proofs.ts'
import { madeBy } from './recheck.ts'
import { runTool } from './run-tool.ts'

/** Runs the commands that were named, where each of them may run. */
export const useTools = async (
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
    if (run.warning) looked.warnings.push(run.warning)
    if (run.failed) looked.failed = run.failed
  }
}

/** Not applicable where the project has nothing that could show it; else the one it has is to be used. */
const lacksTool = (
  tool: Tool,
  gate: Gate | undefined,
  allowed: (tool: Tool) => AllowedCommand,
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
