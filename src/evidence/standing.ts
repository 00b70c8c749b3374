import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import * as consensus from '../consensus/sql.ts'
import { hasRepository } from '../host/repository.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { type Gate, gates, type Protocol } from '../kernel/protocol.ts'
import { refuse } from '../kernel/result.ts'
import { closed, type Stage } from '../kernel/task.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { type EntryFile, entryFileOf } from './entry-file.ts'
import { type Evidence, readEvidence } from './evidence.ts'
import {
  type CriterionStanding,
  criterionStanding,
  type EvidenceFacts,
  type GateStanding,
  gateStanding,
} from './gate-standing.ts'
import { recheck } from './recheck.ts'
import { gatesRequiredOf, requiredGates } from './required-gates.ts'
import { pinsOf, termsOf } from './spawn-terms.ts'
import type { SpawnWork } from './spawn-work.ts'
import * as evidence from './sql.ts'
import type { VerifyLineFacts } from './verify-line.ts'

/** Which parts of its contract a task meets, based on what CLEO observed. */
export interface Standing {
  task: string
  protocol: Protocol
  stage: Stage
  /** Why the task has a contract: it was spawned, or `gates.always` is configured; `nothing` if it has none. */
  under: 'spawn' | 'config' | 'nothing'
  /** The spawn whose work is checked. */
  spawn?: { id: string; at: number; startedAt?: number; worktree?: string }
  /** The manifest entry of that spawn or, of a task that was never spawned, its newest one. */
  entry?: {
    seq: number
    id: string
    status: 'complete' | 'partial' | 'blocked'
    body: Record<string, unknown>
  }
  /** If there is no entry: why a line of this spawn could not be read as one. */
  quarantined?: string
  file?: EntryFile
  /** For the task of a voter: the consensus, and whether the latest spawn has voted in its round. */
  vote?: { consensus: string; cast: boolean }
  /** The required gates, and other gates that have evidence. */
  gates: GateStanding[]
  criteria: CriterionStanding[]
  /** What the latest spawn did to the repository. */
  work?: SpawnWork
  /** Files of a shared folder that are not committed, and that the spawn may have changed. */
  doubtful?: string[]
  /** Why evidence no longer holds, by the number of its row. */
  stale: ReadonlyMap<number, string>
  /** The versions of the task, its evidence and its spawns that were read; a permit is valid while these are unchanged. */
  readFrom: { updatedAt: number; evidence: number; lastSpawn?: string }
}

export interface StandingOptions {
  /** True (the default) to check the evidence again: its files, commits and tool runs. */
  recheck?: boolean
  /** The spawn whose work to check; the latest by default. */
  spawn?: string
  /** Without `recheck`: the evidence that was found stale just before. */
  stale?: ReadonlyMap<number, string>
}

/** Returns which parts of its contract a task meets now. Refuses an unknown task. */
export const standingOf = async (
  context: Context,
  taskId: string,
  options: StandingOptions = {},
): Promise<Standing> => {
  const { store, config } = context
  const row = (await tasks.find(store, taskId)) ?? refuse('task.not_found', { id: taskId })
  const spawn =
    options.spawn === undefined ? await spawns.latest(store, taskId) : await spawns.find(store, options.spawn)
  const entry = await entries.deciding(store, taskId, spawn?.id)
  const protocol = spawn?.protocol ?? (await protocolFor(context, row))
  const stage = row.stage ?? protocol
  const spawnOptions = optionsOf(spawn)
  const body = entry && (JSON.parse(entry.body) as Record<string, unknown>)
  const file = entry && (await entryFileOf(context, entry, body!, spawnOptions))
  const rows = (await evidence.latestOf(store, taskId)).map(readEvidence)
  const counted = rows.filter((each) => each.state === 'waived' || each.spawn === (spawn?.id ?? null))
  const stale: Standing['stale'] =
    options.recheck === false
      ? (options.stale ?? new Map())
      : await staleRows(context, taskId, spawn, counted)
  const facts: EvidenceFacts = {
    spawn: spawn?.id,
    rows,
    counted,
    stale,
    file,
    lines: await verifyLineFacts(context, row, spawn, file),
  }
  const required = spawn ? gatesRequiredOf(spawn, row.stage, config) : requiredGates(protocol, stage, config)
  const work = spawn && (await import('./spawn-work.ts')).spawnWork(context, spawn, rows)
  // What others commit later does not count against a closed task.
  const byWork = closed(row.status) ? noGatesByWork : await gatesByWork(context, spawn, required, work)
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
        ...(spawnOptions?.worktree !== undefined && { worktree: spawnOptions.worktree }),
      },
    }),
    ...(entry && { entry: { seq: entry.seq, id: entry.id, status: entry.status, body: body! } }),
    ...(file && { file }),
    ...(spawn && !entry && (await quarantinedLine(store, spawn))),
    ...(spawn && (await voteStanding(store, spawn))),
    gates: gates.flatMap((gate) => {
      const isByWork = byWork.gates.includes(gate)
      const isRequired = isByWork || required.includes(gate)
      if (!isRequired && !rows.some((each) => each.gate === gate)) return []
      const standing = gateStanding(facts, gate, isRequired)
      return [isByWork && standing.state === 'unset' ? { ...standing, why: byWork.why } : standing]
    }),
    criteria: (await criteria.read(store, taskId)).map((each) => criterionStanding(facts, each)),
    ...(work && { work }),
    ...(byWork.doubtful.length > 0 && { doubtful: byWork.doubtful }),
    stale,
    readFrom: {
      updatedAt: row.updated_at,
      evidence: rows.at(-1)?.seq ?? 0,
      ...(spawn && { lastSpawn: options.spawn ? (await spawns.lastAttempt(store, taskId))?.id : spawn.id }),
    },
  }
}

interface GatesByWork {
  gates: readonly Gate[]
  why: string
  doubtful: string[]
}

const noGatesByWork: GatesByWork = { gates: [], why: '', doubtful: [] }

/**
 * Returns the gates that a spawn needs because of the files it changed. If some of them are outside the output folders, it
 * needs the gates of an implementation, whatever its protocol is. Research does not: RSCH-001 refuses such changes, unless
 * rules only warn.
 */
const gatesByWork = async (
  { config }: Context,
  spawn: spawns.SpawnRow | undefined,
  required: readonly Gate[],
  work: SpawnWork | undefined,
): Promise<GatesByWork> => {
  const byWork = requiredGates('implementation', 'implementation', config)
  const gates = byWork.filter((gate) => !required.includes(gate))
  const isRefused = spawn?.protocol === 'research' && config.compliance !== 'warn'
  if (!spawn || gates.length === 0 || isRefused) return noGatesByWork
  const changes = await work!.changes()
  if (!changes) return noGatesByWork
  const { committed, open, doubtful } = changes
  const changed = [...committed, ...open]
  if (changed.length === 0) return { ...noGatesByWork, doubtful }
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : ''
  return { gates, why: `no evidence; needed because ${spawn.id} changed ${changed[0]}${more}`, doubtful }
}

const quarantinedLine = async (
  db: Db,
  spawn: spawns.SpawnRow,
): Promise<Pick<Standing, 'quarantined'> | undefined> => {
  const { reasonFor } = await import('../manifest/sql/quarantine.ts')
  const quarantined = await reasonFor(db, spawn)
  return quarantined === undefined ? undefined : { quarantined }
}

const voteStanding = async (
  db: Db,
  { id, task }: spawns.SpawnRow,
): Promise<Pick<Standing, 'vote'> | undefined> => {
  const voter = await consensus.voterOf(db, task)
  if (!voter) return undefined
  const cast = await consensus.hasVoted(db, voter, id)
  return { vote: { consensus: numberedId('C', Number(voter.consensus)), cast } }
}

/** Chooses the protocol of a task that was never spawned. */
const protocolFor = async (context: Context, row: TaskRow): Promise<Protocol> => {
  const { openCatalogue } = await import('../skills/skill-catalogue.ts')
  const { chooseSkill } = await import('../skills/choose-skill.ts')
  const labels = await lists.read(context.store, 'labels', row.id)
  const { type, title, stage } = row
  // Declared files are left out: they must not change the protocol that the title chooses.
  const task = { type, title, labels, files: [], ...(stage && { stage }) }
  return chooseSkill(context, await openCatalogue(context), task).dispatched.protocol
}

/** Marks evidence as stale if newer evidence is from another folder: the older tests ran on other code. */
const staleRows = async (
  context: Context,
  task: string,
  spawn: spawns.SpawnRow | undefined,
  rows: readonly Evidence[],
): Promise<ReadonlyMap<number, string>> => {
  const passed = rows.filter(({ state, worktree }) => state === 'passed' && worktree !== null)
  const folder = passed.at(-1)?.worktree
  const elsewhere = passed.filter(({ worktree }) => worktree !== folder)
  const here = passed.filter(({ worktree }) => worktree === folder)
  return new Map([
    ...elsewhere.map(
      ({ seq, worktree }) => [seq, `it is from ${worktree}, but newer evidence is from ${folder}`] as const,
    ),
    ...(await recheck(context, task, spawn, here)),
    ...(await applicableNow(context, rows)),
  ])
}

/** Finds gates that were recorded as not applicable, but for which the project has a command now. */
const applicableNow = async (context: Context, rows: readonly Evidence[]): Promise<[number, string][]> => {
  const without = rows.filter(({ state, worktree }) => state === 'na' && worktree !== null)
  if (without.length === 0) return []
  const { commandWords } = await import('../project-commands/project-commands.ts')
  const found: [number, string][] = []
  for (const { seq, worktree, atoms } of without) {
    const commands = await commandWords(context, worktree!)
    const tool = atoms.flatMap((atom) => (atom.kind === 'tool' && commands[atom.tool] ? [atom.tool] : []))[0]
    if (tool) found.push([seq, `the project has a command for ${tool} now`])
  }
  return found
}

const verifyLineFacts = async (
  { store, actor, host, root }: Context,
  row: TaskRow,
  spawn: spawns.SpawnRow | undefined,
  file: EntryFile | undefined,
): Promise<VerifyLineFacts> => {
  const folder = optionsOf(spawn)?.worktree ?? root
  const below = file?.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : undefined
  const pins = pinsOf(spawn)
  return {
    task: row.id,
    // While the task is out, only its spawn gives evidence, so the commands name that spawn for every caller.
    ...(row.attempt_out > 0
      ? { as: `${row.id}.${row.attempt_out}` }
      : actor.agent && parseSpawnId(actor.id) && { as: actor.id }),
    files: await lists.read(store, 'files', row.id),
    git: termsOf(spawn)?.git || hasRepository(host, folder),
    ...(pins && { tools: Object.keys(pins) as VerifyLineFacts['tools'] }),
    ...(below && { output: below }),
  }
}
