import { voteLine } from '../kernel/vote-line.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { isTemplateName } from '../refusals/manifest.ts'
import type { CriterionStanding, GateStanding } from './gate-standing.ts'
import type { Standing } from './standing.ts'

/**
 * The codes with which `complete` refuses a task that misses requirements. If several codes apply, the first of them
 * in this list is used.
 */
export const contractCodes = [
  'manifest.missing',
  'output.missing',
  'focus.unset',
  'vote.missing',
  'rule.broken',
  'evidence.missing',
  'evidence.stale',
  'gate.unmet',
  'entry.blocked',
] as const
export type ContractCode = (typeof contractCodes)[number]

export interface MissingRequirement {
  code: ContractCode
  /** The name of the requirement: `testsPassed`, `criterion 2`, `focus`. */
  path: string
  message: string
  fix?: string
}

export interface Requirements {
  /** The requirements that keep the task from being done. The first requirement decides the code of the refusal. */
  missing: MissingRequirement[]
  /**
   * All requirements that do not hold, in the order in which to work on them. Includes the requirements that a
   * partial entry may leave open.
   */
  todo: MissingRequirement[]
  /** Requirements that a partial entry may leave open. They cause a warning instead of a refusal. */
  leftOpen: MissingRequirement[]
  /** The names of the requirements that are met. */
  held: string[]
}

export interface BrokenRule {
  id: string
  /**
   * True if the entry says partial, and the rule is only about finished work. In that case the broken rule causes a
   * warning and does not keep the task from being done.
   */
  isOpen: boolean
  fact: string
  fix?: string
}

/** Gates and criteria are required unless the entry says partial or blocked. */
export const requirementsOf = (standing: Standing, rules: readonly BrokenRule[] = []): Requirements => {
  const required =
    standing.under === 'nothing'
      ? blocked(standing)
      : [...submission(standing), ...rules.map(ruleRequirement), ...proofs(standing)]
  const missing = required.flatMap((each) => each.missing ?? [])
  const { status } = standing.entry ?? {}
  const mayStayOpen = new Set(rules.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])))
  const isProof = ({ code, path }: MissingRequirement) =>
    code === 'evidence.missing' || code === 'evidence.stale' || code === 'gate.unmet' || mayStayOpen.has(path)
  const ordered = missing.toSorted((a, b) => contractCodes.indexOf(a.code) - contractCodes.indexOf(b.code))
  const withoutProofs = status === 'partial' || status === 'blocked'
  return {
    missing: withoutProofs ? ordered.filter((each) => !isProof(each)) : ordered,
    todo: status === 'blocked' ? missing.filter((each) => !isProof(each)) : missing,
    leftOpen: status === 'partial' ? ordered.filter(isProof) : [],
    held: required.flatMap((each) => (each.missing ? [] : [each.name])),
  }
}

export const isHeld = ({ state }: GateStanding): boolean =>
  state === 'passed' || state === 'na' || state === 'waived'

export const isMet = ({ state }: CriterionStanding): boolean => state === 'met' || state === 'waived'

export const openCriterion = ({ n, text }: { n: number; text: string }): string =>
  `left open: criterion ${n} (${text})`

interface Requirement {
  name: string
  missing?: MissingRequirement
}

const submission = (standing: Standing): Requirement[] => {
  const { under, task, spawn, entry, quarantined, file, vote } = standing
  if (under !== 'spawn') return blocked(standing)
  const { id, startedAt } = spawn!
  return [
    requirement('focus', startedAt, {
      code: 'focus.unset',
      message: `${id} never set focus`,
      fix: `cleo focus set ${task} --as ${id}`,
    }),
    ...(vote
      ? [
          requirement('vote', vote.cast, {
            code: 'vote.missing',
            message: `${id} has not voted on ${vote.consensus}; CONS-001 requires a vote`,
            fix: voteLine(vote.consensus, id),
          }),
        ]
      : []),
    requirement('manifest entry', entry, {
      code: 'manifest.missing',
      message:
        quarantined === undefined
          ? `${id} appended no manifest entry`
          : `a line of ${id} could not be read as an entry: ${quarantined}`,
      fix: `cleo manifest append --status complete --finding "<one sentence>" --as ${id}`,
    }),
    ...(entry
      ? [
          requirement('output file', file && file.state !== 'missing', {
            code: 'output.missing',
            message: file
              ? `${file.path} ${file.why ?? 'does not exist'}`
              : `${entry.id} names no output file`,
            fix: outputFix(task, id, entry, file),
          }),
        ]
      : []),
    ...blocked(standing),
  ]
}

/** Names the file of the entry, because a task can have several output files. */
const outputFix = (
  task: string,
  spawn: string,
  { id, body }: NonNullable<Standing['entry']>,
  file: Standing['file'],
): string => {
  const name = typeof body['file'] === 'string' ? body['file'] : undefined
  if (file?.why) return `cleo output check ${shellQuote(file.path)}`
  const given = name === undefined ? '' : ` --file ${shellQuote(name)}`
  return name !== undefined && !isTemplateName(name, task)
    ? `cleo manifest append --revises ${id} --file "<output file>" --as ${spawn}`
    : `cleo output new ${task}${given} --as ${spawn}`
}

/**
 * A task with a blocked entry cannot be done, so the suggested command blocks the task. For a spawned task the
 * command is `finish`, which uses the existing entry. For any other task the command is `block`.
 */
const blocked = ({ task, spawn, entry }: Standing): Requirement[] =>
  entry?.status === 'blocked'
    ? [
        requirement('status', false, {
          code: 'entry.blocked',
          message: `manifest entry ${entry.id} has status blocked, so the task cannot be marked done`,
          fix: spawn
            ? `cleo finish ${task} --status blocked --as ${spawn.id}`
            : `cleo block ${task} --reason "${blockReason(entry)}"`,
        }),
      ]
    : []

const longestReason = 200

/** The text must be safe in a shell command. */
const blockReason = ({ id, body }: NonNullable<Standing['entry']>): string => {
  const { text } = (body['blocker'] ?? {}) as { text?: unknown }
  const isPlain = typeof text === 'string' && /^[\p{L}\p{N} .,:;()/_'-]+$/u.test(text)
  return isPlain && text.length <= longestReason ? text : `see ${id}`
}

const requirement = (name: string, holds: unknown, missing: Omit<MissingRequirement, 'path'>): Requirement =>
  holds ? { name } : { name, missing: { ...missing, path: name } }

const ruleRequirement = ({ id, fact, fix }: BrokenRule): Requirement =>
  requirement(id, false, { code: 'rule.broken', message: fact, ...(fix && { fix }) })

const proofs = ({ gates, criteria, splits }: Standing): Requirement[] => [
  ...gates.filter(({ required }) => required).map(gateRequirement),
  ...(splits ? [] : criteria.map(criterionRequirement)),
]

const gateRequirement = (standing: GateStanding): Requirement => {
  const { gate, state, why, fix } = standing
  const code = state === 'unset' ? 'evidence.missing' : state === 'stale' ? 'evidence.stale' : 'gate.unmet'
  const message = state === 'unset' ? (why ?? 'no evidence') : why ? `${state}: ${why}` : state
  // If a gate holds without evidence, add the reason to its name. Otherwise it would look as if a tool had been run.
  const name = state === 'na' ? `${gate} (not applicable)` : state === 'waived' ? `${gate} (waived)` : gate
  return requirement(name, isHeld(standing), { code, message, ...(fix && { fix }) })
}

const criterionRequirement = (standing: CriterionStanding): Requirement => {
  const { n, state, why, fix } = standing
  const code = state === 'stale' ? 'evidence.stale' : 'gate.unmet'
  const text = state === 'unmet' ? 'not met' : state
  const message = state === 'open' ? (why ?? 'no evidence') : why ? `${text}: ${why}` : text
  return requirement(`criterion ${n}`, isMet(standing), { code, message, ...(fix && { fix }) })
}
