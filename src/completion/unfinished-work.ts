import {
  type BrokenRule,
  type ContractCode,
  contractCodes,
  type MissingRequirement,
  requirementsOf,
} from '../evidence/missing-requirements.ts'
import type { Proof } from '../evidence/prove-task.ts'
import type { Standing } from '../evidence/standing.ts'
import { type Failure, fail, type Problem } from '../kernel/result.ts'
import type { EntryStatus } from '../manifest/entry.ts'
import type { FinishCode } from './finish.ts'

/** The exit codes of several problems, in the order in which they decide the refusal. */
const exits = [35, 5, 16, 62, 38, 60, 40, 46, 45]

type ObstacleCode = ContractCode | 'evidence.invalid' | 'criterion.not_found' | FinishCode

const submission: readonly ContractCode[] = ['manifest.missing', 'output.missing', 'focus.unset']
const proofs: readonly ContractCode[] = ['evidence.missing', 'evidence.stale', 'gate.unmet']
const requiredOf: Readonly<Record<EntryStatus, readonly ContractCode[]>> = {
  complete: contractCodes,
  partial: contractCodes.filter((code) => !proofs.includes(code)),
  blocked: submission,
}

/** One problem of a task that `finish` reports. */
export type Obstacle = Omit<MissingRequirement, 'code'> & { code: ObstacleCode; exit: number }

interface Attempted {
  standing: Standing
  /** The rules of the protocol that the work breaks. */
  broken?: readonly BrokenRule[]
  /** What is wrong with the entry that the caller gave. */
  entryProblems: readonly MissingRequirement[]
  proofs: readonly Proof[]
  /** The status that the caller reports. Only complete work has to be proved. */
  status?: EntryStatus
  /** In a dry run, entry and evidence count as stored. */
  dryRun: boolean
}

/**
 * Returns everything that keeps a task from being finished, and the requirements that hold. If a step failed, its problem
 * replaces the requirement that is missing because of it, because the problem says more.
 */
export const obstaclesOf = ({
  standing,
  broken,
  entryProblems,
  proofs: given,
  status,
  dryRun,
}: Attempted): { obstacles: Obstacle[]; held: string[] } => {
  const { missing, leftOpen, held } = requirementsOf(standing, broken)
  const failed = new Map(given.flatMap(({ path, failure }) => (failure ? [[path, failure] as const] : [])))
  const accepted = new Set(given.flatMap(({ path, failure }) => (failure ? [] : [path])))
  const isCounted = ({ path, code }: MissingRequirement) => {
    if (status && !requiredOf[status].includes(code)) return false
    if (dryRun && (accepted.has(path) || (path === 'manifest entry' && entryProblems.length === 0)))
      return false
    if (entryProblems.length === 0) return true
    // Without an entry, the output file does not count as documentation.
    return path !== 'manifest entry' && path !== 'output file' && path !== 'documented'
  }
  const counted = missing.filter(isCounted)
  const known = new Set([...missing, ...leftOpen].map(({ path }) => path))
  // Evidence for a criterion that does not exist, or that was proved before.
  const others = [...failed].filter(([path]) => !known.has(path))
  const obstacles = [
    ...entryProblems.map(withExit),
    ...counted.flatMap((each) => explained(each, failed.get(each.path)).map(withExit)),
    ...others.map(([path, { code, exit, message, fix }]) => ({ path, code, exit, message, fix })),
  ]
  const order = ({ exit }: Obstacle) => (exits.includes(exit) ? exits.indexOf(exit) : exits.length)
  return {
    obstacles: obstacles.toSorted((a, b) => order(a) - order(b)),
    held: held.filter((name) => !obstacles.some(({ path }) => path === name)),
  }
}

const withExit = (each: MissingRequirement): Obstacle => ({
  ...each,
  exit: fail(each.code, { id: '', problems: [] }).exit,
})

/** Says why evidence was not accepted. For a failed program, names the log instead of printing the output. */
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

/** Makes the refusal. Requirements that lack the same thing share a line. */
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
