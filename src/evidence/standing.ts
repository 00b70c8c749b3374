import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import * as consensus from '../consensus/sql.ts'
import { hasRepository } from '../host/repository.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import { gates, type Protocol } from '../kernel/protocol.ts'
import { refuse } from '../kernel/result.ts'
import type { Stage } from '../kernel/task.ts'
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
import * as evidence from './sql.ts'
import type { VerifyLineFacts } from './verify-line.ts'

/** Which parts of its contract a task meets, based on what CLEO observed. */
export interface Standing {
  task: string
  protocol: Protocol
  stage: Stage
  /** Why the task has a contract: it was spawned, or `gates.always` is configured; `nothing` if it has none. */
  under: 'spawn' | 'config' | 'nothing'
  /** The latest spawn. */
  spawn?: { id: string; at: number; startedAt?: number; worktree?: string }
  /** The manifest entry of the latest spawn. */
  entry?: {
    seq: number
    id: string
    status: 'complete' | 'partial' | 'blocked'
    body: Record<string, unknown>
  }
  file?: EntryFile
  /** For the task of a voter: the consensus, and whether the latest spawn has voted in its round. */
  vote?: { consensus: string; cast: boolean }
  /** The required gates, and other gates that have evidence. */
  gates: GateStanding[]
  criteria: CriterionStanding[]
  /** Why evidence no longer holds, by the number of its row. */
  stale: ReadonlyMap<number, string>
  /** The versions of the task and its evidence that were read; a permit is valid while both are unchanged. */
  readFrom: { updatedAt: number; evidence: number }
}

export interface StandingOptions {
  /** True (the default) to check the evidence again: its files, commits and tool runs. */
  recheck?: boolean
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
  const spawn = await spawns.latest(store, taskId)
  const entry = spawn && (await entries.ofSpawn(store, spawn.id))
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
    ...(spawn && (await voteStanding(store, spawn))),
    gates: gates.flatMap((gate) => {
      const isRequired = required.includes(gate)
      return isRequired || rows.some((each) => each.gate === gate)
        ? [gateStanding(facts, gate, isRequired)]
        : []
    }),
    criteria: (await criteria.read(store, taskId)).map((each) => criterionStanding(facts, each)),
    stale,
    readFrom: { updatedAt: row.updated_at, evidence: rows.at(-1)?.seq ?? 0 },
  }
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
  const { type, title, description, stage } = row
  const task = { type, title, description, labels, ...(stage && { stage }) }
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
    ...(actor.agent && parseSpawnId(actor.id) && { as: actor.id }),
    files: await lists.read(store, 'files', row.id),
    git: termsOf(spawn)?.git || hasRepository(host, folder),
    ...(pins && { tools: Object.keys(pins) as VerifyLineFacts['tools'] }),
    ...(below && { output: below }),
  }
}
