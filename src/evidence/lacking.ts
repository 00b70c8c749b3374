import { type ContractCode, contractCodes } from './contract-codes.ts'
import { type CriterionStanding, type GateStanding, isHeld, isMet, type Standing } from './standing-shape.ts'

export interface Lack {
  code: ContractCode
  /** `testsPassed`, `criterion 2`, `focus`. */
  path: string
  message: string
  fix?: string
}

export interface Judged {
  /** What keeps the task from being done, the one that decides first. */
  lacks: Lack[]
  /** The same, and what is open besides, in the order in which one would mend it. */
  todo: Lack[]
  /** What a partial entry leaves open: told, not refused. */
  open: Lack[]
  /** What holds. */
  held: string[]
}

/** Measures a task by its contract. Gates and criteria are asked of work that says it is complete. */
export const judge = (standing: Standing): Judged => {
  const asked = standing.under === 'nothing' ? [] : [...handedIn(standing), ...proved(standing)]
  const lacks = asked.flatMap(({ lack }) => lack ?? [])
  const says = standing.under === 'spawn' ? standing.entry?.status : undefined
  const isProof = ({ code }: Lack) =>
    code === 'evidence.missing' || code === 'evidence.stale' || code === 'gate.unmet'
  const ordered = lacks.toSorted((a, b) => contractCodes.indexOf(a.code) - contractCodes.indexOf(b.code))
  return {
    lacks: says === 'partial' || says === 'blocked' ? ordered.filter((lack) => !isProof(lack)) : ordered,
    todo: says === 'blocked' ? lacks.filter((lack) => !isProof(lack)) : lacks,
    open: says === 'partial' ? ordered.filter(isProof) : [],
    held: asked.flatMap(({ name, lack }) => (lack ? [] : [name])),
  }
}

interface Asked {
  name: string
  lack?: Lack
}

const handedIn = ({ under, task, spawn, entry, file }: Standing): Asked[] => {
  if (under !== 'spawn') return []
  const { id, startedAt } = spawn!
  const blocked: Omit<Lack, 'path'> | undefined =
    entry?.status === 'blocked'
      ? { code: 'entry.blocked', message: `${entry.id} says blocked`, fix: `cleo manifest show ${entry.id}` }
      : undefined
  return [
    asked('focus', startedAt, {
      code: 'focus.unset',
      message: `${id} never set it`,
      fix: `cleo focus set ${task} --as ${id}`,
    }),
    asked('manifest entry', entry, {
      code: 'manifest.missing',
      message: `${id} appended none`,
      fix: `cleo manifest append --status complete --finding "<one sentence>" --as ${id}`,
    }),
    ...(entry
      ? [
          asked('output file', file && file.state !== 'missing', {
            code: 'output.missing',
            message: file ? `${file.path} ${file.why ?? 'is not there'}` : `${entry.id} names none`,
            fix: file?.why ? `cleo output check ${task}` : `cleo output new ${task} --as ${id}`,
          }),
        ]
      : []),
    ...(blocked ? [asked('status', undefined, blocked)] : []),
  ]
}

const asked = (name: string, holds: unknown, lack: Omit<Lack, 'path'>): Asked =>
  holds ? { name } : { name, lack: { ...lack, path: name } }

const proved = ({ gates, criteria }: Standing): Asked[] => [
  ...gates.filter(({ required }) => required).map(ofGate),
  ...criteria.map(ofCriterion),
]

const ofGate = (standing: GateStanding): Asked => {
  const { gate, state, why, fix } = standing
  if (isHeld(standing)) return { name: gate }
  const code = state === 'unset' ? 'evidence.missing' : state === 'stale' ? 'evidence.stale' : 'gate.unmet'
  const message = why
    ? state === 'unset'
      ? why
      : `${state}: ${why}`
    : state === 'unset'
      ? 'no evidence'
      : state
  return { name: gate, lack: { code, path: gate, message, ...(fix && { fix }) } }
}

const ofCriterion = (standing: CriterionStanding): Asked => {
  const { n, state, why, fix } = standing
  const name = `criterion ${n}`
  if (isMet(standing)) return { name }
  const code = state === 'stale' ? 'evidence.stale' : 'gate.unmet'
  const message = state === 'open' ? (why ?? 'no evidence') : why ? `${shown[state]}: ${why}` : shown[state]!
  return { name, lack: { code, path: name, message, ...(fix && { fix }) } }
}

const shown: Partial<Record<CriterionStanding['state'], string>> = { stale: 'stale', unmet: 'not met' }
