import { exitRank } from '../kernel/exit-order.ts'
import { type Failure, fail, type Problem } from '../kernel/result.ts'
import type { EntryStatus } from '../manifest/entry.ts'
import {
  type BrokenRule,
  type ContractCode,
  contractCodes,
  type MissingRequirement,
  requirementsOf,
} from '../standing/missing-requirements.ts'
import type { Proof } from '../standing/prove-task.ts'
import type { Standing } from '../standing/standing.ts'
import type { FinishCode } from './finish.ts'

type ObstacleCode = ContractCode | 'evidence.invalid' | 'criterion.not_found' | FinishCode

const submission: readonly ContractCode[] = ['manifest.missing', 'output.missing', 'focus.unset']
const proofs: readonly ContractCode[] = ['evidence.missing', 'evidence.stale', 'gate.unmet']
const requiredOf: Readonly<Record<EntryStatus, readonly ContractCode[]>> = {
  complete: contractCodes,
  partial: contractCodes.filter((code) => !proofs.includes(code)),
  blocked: submission,
}

/** One problem that `finish` reports about a task. */
export type Obstacle = Omit<MissingRequirement, 'code'> & { code: ObstacleCode; exit: number }

interface Attempted {
  standing: Standing
  broken?: readonly BrokenRule[]
  entryProblems: readonly MissingRequirement[]
  proofs: readonly Proof[]
  /** The status that the caller reports. Only complete work has to be proved. */
  status?: EntryStatus
  /** True in a dry run. The entry and the evidence were not stored, but are treated as stored. */
  dryRun: boolean
  /** Requirements that are checked later, by the run that drives the agent. */
  later?: ReadonlySet<string>
}

/**
 * Returns the obstacles that keep a task from being finished, and the requirements that already hold. If a requirement
 * is missing because a step of `finish` failed, lists the problem of that step instead, because it is more specific.
 */
export const obstaclesOf = ({
  standing,
  broken,
  entryProblems,
  proofs: given,
  status,
  dryRun,
  later,
}: Attempted): { obstacles: Obstacle[]; held: string[] } => {
  const { missing, leftOpen, held } = requirementsOf(standing, broken)
  const failed = new Map(given.flatMap(({ path, failure }) => (failure ? [[path, failure] as const] : [])))
  const accepted = new Set(given.flatMap(({ path, failure }) => (failure ? [] : [path])))
  const isCounted = ({ path, code }: MissingRequirement) => {
    if (later?.has(path) || (status && !requiredOf[status].includes(code))) return false
    if (dryRun && (accepted.has(path) || (path === 'manifest entry' && entryProblems.length === 0)))
      return false
    if (entryProblems.length === 0) return true
    // The entry was refused, and its problems are listed. So leave out the requirements that cannot hold without an
    // entry.
    return path !== 'manifest entry' && path !== 'output file' && path !== 'documented'
  }
  const counted = missing.filter(isCounted)
  const known = new Set([...missing, ...leftOpen].map(({ path }) => path))
  // Also list failed evidence for a criterion that does not exist or was already proved.
  const others = [...failed].filter(([path]) => !known.has(path))
  const obstacles = [
    ...entryProblems.map(withExit),
    ...counted.flatMap((each) => explained(each, failed.get(each.path)).map(withExit)),
    ...others.map(([path, { code, exit, message, fix }]) => ({ path, code, exit, message, fix })),
  ]
  return {
    obstacles: obstacles.toSorted((a, b) => exitRank(a.exit) - exitRank(b.exit)),
    held: held.filter((name) => !obstacles.some(({ path }) => path === name)),
  }
}

const withExit = (each: MissingRequirement): Obstacle => ({
  ...each,
  exit: fail(each.code, { id: '', problems: [] }).exit,
})

/** If evidence was given but not accepted, returns the problems of the evidence, not the requirement. */
const explained = (each: MissingRequirement, failure: Failure | undefined): MissingRequirement[] => {
  if (!failure) return [each]
  const { problems = [], fix } = failure
  if (problems.length === 0) return [{ ...each, message: failure.message, fix }]
  return problems.map((problem) => ({
    path: each.path,
    code: each.code,
    message: problem.message,
    ...((problem.fix ?? fix ?? each.fix) && { fix: problem.fix ?? fix ?? each.fix }),
  }))
}

/** Requirements with the same problem and the same fix share a line. */
export const unfinishedWork = (
  id: string,
  obstacles: readonly Obstacle[],
  held: readonly string[],
): Failure<ObstacleCode> => {
  const lines: Problem[] = []
  for (const { path, message, fix, code } of obstacles) {
    const same = lines.find((line) => line.message === message && line.fix === fix)
    if (same) same.path += `, ${path}`
    else lines.push({ path, message, ...(fix && { fix }), code })
  }
  const { code, exit } = obstacles[0]!
  const { retryable: _, ...failure } = fail('gate.unmet', { id, problems: lines })
  return { ...failure, code, exit, retryable: false, held }
}
