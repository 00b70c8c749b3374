import { criterionLine, gateLine, type LineFacts } from '../../contract/evidence/lines.ts'
import type { Seen } from '../../contract/evidence/seen.ts'
import { requiredGates } from '../../contract/required-gates.ts'
import type { CriterionStanding, GateStanding, Standing } from '../../contract/standing.ts'
import { hasRepository } from '../../host/repository.ts'
import { type Gate, gates, type Protocol } from '../../model/protocol.ts'
import { refuse } from '../../model/result.ts'
import { parseSpawnId } from '../../model/task-id.ts'
import type { Criterion } from '../../store/criteria.ts'
import * as criteria from '../../store/criteria.ts'
import * as entries from '../../store/entries.ts'
import * as evidence from '../../store/evidence.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as spawns from '../../store/spawns.ts'
import * as lists from '../../store/task-lists.ts'
import * as tasks from '../../store/tasks.ts'
import type { Context } from '../context.ts'
import { askedOf } from '../manifest/places.ts'
import { pinsOf } from '../spawn/pins.ts'
import { fileOf } from './entry-file.ts'
import { type Evidence, readRow, recheck } from './recheck.ts'

export interface StandingOptions {
  /** Looks at what the evidence rests on again: files, commits, the tree a tool ran on. True when left out. */
  recheck?: boolean
}

/** How a task stands against its contract right now. A task that is not there is refused. */
export const standingOf = async (
  context: Context,
  taskId: string,
  options: StandingOptions = {},
): Promise<Standing> => {
  const { store, config } = context
  const row = (await tasks.find(store, taskId)) ?? refuse('task.not_found', { id: taskId })
  const spawn = await spawns.latest(store, taskId)
  const entry = spawn && (await entries.ofSpawn(store, spawn.id))
  const protocol = spawn?.protocol ?? (await protocolFor(context, row))
  const stage = row.stage ?? protocol
  const asked = askedOf(spawn)
  const body = entry && (JSON.parse(entry.body) as Record<string, unknown>)
  const file = entry && (await fileOf(context, entry, body!, asked))
  const rows = (await evidence.latestOf(store, taskId)).map(readRow)
  const counted = rows.filter((each) => each.state === 'waived' || each.spawn === (spawn?.id ?? null))
  const facts: Facts = {
    spawn: spawn?.id,
    rows,
    counted,
    stale: options.recheck === false ? new Map() : await staleRows(context, counted),
    file,
    lines: await lineFacts(context, row, spawn, file),
  }
  const required = requiredGates(protocol, stage, config)
  return {
    task: taskId,
    protocol,
    stage,
    under: spawn ? 'spawn' : config.gates?.always ? 'config' : 'nothing',
    ...(spawn && {
      spawn: {
        id: spawn.id,
        at: spawn.at,
        ...(spawn.started_at !== null && { startedAt: spawn.started_at }),
        ...(asked?.worktree !== undefined && { worktree: asked.worktree }),
      },
    }),
    ...(entry && { entry: { seq: entry.seq, id: entry.id, status: entry.status, body: body! } }),
    ...(file && { file }),
    gates: gates.flatMap((gate) => {
      const isRequired = required.includes(gate)
      return isRequired || rows.some((each) => each.gate === gate) ? [ofGate(facts, gate, isRequired)] : []
    }),
    criteria: (await criteria.read(store, taskId)).map((each) => ofCriterion(facts, each)),
    seen: { updatedAt: row.updated_at, evidence: rows.at(-1)?.seq ?? 0 },
  }
}

interface Facts {
  spawn?: string
  /** The newest evidence on each gate and criterion, whoever gave it. */
  rows: Evidence[]
  /** Those that count: each attempt proves its own work, and a waiver stays. */
  counted: Evidence[]
  stale: ReadonlyMap<number, string>
  file: Standing['file']
  lines: LineFacts
}

/** The protocol of a task that nobody was sent to. */
const protocolFor = async (context: Context, row: TaskRow): Promise<Protocol> => {
  const { openCatalogue } = await import('../skills/catalogue.ts')
  const { choose } = await import('../skills/choose.ts')
  const labels = await lists.read(context.store, 'labels', row.id)
  const { type, title, description, stage } = row
  const task = { type, title, description, labels, ...(stage && { stage }) }
  return choose(context, await openCatalogue(context), task).dispatched.protocol
}

/** All of it has to come from one folder, the one of the newest piece: another one's tests say nothing of this one's code. */
const staleRows = async (
  context: Context,
  rows: readonly Evidence[],
): Promise<ReadonlyMap<number, string>> => {
  const passed = rows.filter(({ state, worktree }) => state === 'passed' && worktree !== null)
  const folder = passed.at(-1)?.worktree
  const elsewhere = passed.filter(({ worktree }) => worktree !== folder)
  const here = passed.filter(({ worktree }) => worktree === folder)
  return new Map([
    ...elsewhere.map(
      ({ seq, worktree }) => [seq, `taken in ${worktree}, while newer evidence is of ${folder}`] as const,
    ),
    ...(await recheck(context, here)),
  ])
}

const lineFacts = async (
  { store, actor, host, root }: Context,
  row: TaskRow,
  spawn: spawns.SpawnRow | undefined,
  file: Standing['file'],
): Promise<LineFacts> => {
  const folder = askedOf(spawn)?.worktree ?? root
  const below = file?.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : undefined
  const pins = pinsOf(spawn)
  return {
    task: row.id,
    ...(actor.agent && parseSpawnId(actor.id) && { as: actor.id }),
    files: await lists.read(store, 'files', row.id),
    git: hasRepository(host, folder),
    ...(pins && { tools: Object.keys(pins) as LineFacts['tools'] }),
    ...(below && { output: below }),
  }
}

const ofGate = (facts: Facts, gate: Gate, required: boolean): GateStanding => {
  const own = facts.counted.find((row) => row.gate === gate)
  const before = facts.rows.find((row) => row.gate === gate)
  const fix = gateLine(facts.lines, gate, before?.atoms)
  const stale = own && facts.stale.get(own.seq)
  if (stale) return { gate, required, state: 'stale', why: stale, fix }
  if (own && own.state !== 'failed') return { gate, required, state: own.state, evidence: own.atoms }
  // Work that is written down is handed in as a file: that file is what the gate asks for.
  if (gate === 'documented' && facts.file && facts.file.state !== 'missing')
    return facts.file.state === 'there'
      ? { gate, required, state: 'passed' }
      : { gate, required, state: 'stale', why: 'the output file changed after the entry', fix }
  if (own) return { gate, required, state: 'failed', ...(own.reason && { why: own.reason }), fix }
  const former = before ? { why: `proved by ${before.spawn ?? before.actor}, not by ${facts.spawn}` } : {}
  return { gate, required, state: 'unset', ...former, fix }
}

const ofCriterion = (facts: Facts, { n, text, state }: Criterion): CriterionStanding => {
  const speaksOf = ({ criterion, atoms }: Evidence) => criterion !== null && textOf(atoms) === text
  const own = facts.counted.findLast(speaksOf)
  const before = facts.rows.findLast(speaksOf)
  const fix = criterionLine(facts.lines, n, before?.atoms)
  const stale = own && facts.stale.get(own.seq)
  if (state === 'met' && stale) return { n, text, state: 'stale', why: stale, fix }
  if (state === 'waived' || (state === 'met' && own?.state === 'passed')) return { n, text, state }
  if (state === 'unmet') return { n, text, state, ...(own?.reason && { why: own.reason }), fix }
  const former =
    before && !own ? { why: `met by ${before.spawn ?? before.actor}, not by ${facts.spawn}` } : {}
  return { n, text, state: 'open', ...former, fix }
}

const textOf = (atoms: readonly Seen[]): string | undefined =>
  atoms.flatMap((atom) => (atom.kind === 'criterion' ? [atom.text] : []))[0]
