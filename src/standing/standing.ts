import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import * as consensus from '../consensus/sql.ts'
import { type Evidence, readEvidence } from '../evidence/evidence.ts'
import type { EvidenceFolder } from '../evidence/evidence-folder.ts'
import { recheck } from '../evidence/recheck.ts'
import { pinsOf, termsOf } from '../evidence/spawn-terms.ts'
import type { SpawnWork } from '../evidence/spawn-work.ts'
import * as evidence from '../evidence/sql.ts'
import type { VerifyLineFacts } from '../evidence/verify-line.ts'
import { hasRepository } from '../git/repository.ts'
import { numberedId } from '../kernel/numbered-id.ts'
import type { Gate, Protocol } from '../kernel/protocol.ts'
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
import { isContainer } from '../tasks/transition.ts'
import { type EntryFile, entryFileOf } from './entry-file.ts'
import {
  type CriterionStanding,
  type EvidenceFacts,
  type GateStanding,
  type GatesByWork,
  proofStandings,
} from './gate-standing.ts'
import { gatesForChanges, gatesRequiredOf, requiredGates } from './required-gates.ts'
import type { StartedGit } from './start-git.ts'

/** Which parts of its contract a task meets, based on what CLEO observed. */
export interface Standing {
  task: string
  protocol: Protocol
  stage: Stage
  /**
   * Why the task has a contract. `spawn`: the task was spawned. `config`: `gates.always` is set. `nothing`: the task
   * has no contract.
   */
  under: 'spawn' | 'config' | 'nothing'
  /** The spawn whose work is checked. */
  spawn?: { id: string; at: number; startedAt?: number; worktree?: string }
  /** The manifest entry of that spawn. If the task was never spawned, the newest entry of the task. */
  entry?: {
    seq: number
    id: string
    status: 'complete' | 'partial' | 'blocked'
    body: Record<string, unknown>
  }
  /** Why the spawn's manifest line is in quarantine. Set only if the spawn has no entry. */
  quarantined?: string
  file?: EntryFile
  /** For the task of a voter: the consensus, and whether the latest spawn has voted in the current round. */
  vote?: { consensus: string; cast: boolean }
  /** The required gates, and other gates that have evidence. */
  gates: GateStanding[]
  criteria: CriterionStanding[]
  /**
   * True if the spawn splits the task into child tasks. The criteria of the task need not hold until its last child
   * is done.
   */
  splits?: true
  work?: SpawnWork
  /** Uncommitted files of a shared folder that might come from the spawn. */
  doubtful?: string[]
  /** Maps the number of an evidence row to the reason why the row no longer holds. */
  stale: ReadonlyMap<number, string>
  /**
   * The versions of task, evidence and spawns from which this standing was made. A permit is valid as long as they are
   * unchanged.
   */
  readFrom: { updatedAt: number; evidence: number; lastSpawn?: string }
}

export interface StandingOptions {
  /** Whether to check the files, commits and tool runs of the evidence again; true by default. */
  recheck?: boolean
  /** The spawn whose work to check; the latest by default. */
  spawn?: string
  /** True if the last child of the task is about to be done. In that case the criteria of the task must hold. */
  closing?: boolean
  /** With `recheck: false`: the evidence that the caller has just found to be stale. */
  stale?: ReadonlyMap<number, string>
  /** Git processes that the caller started early. Ignored if a spawn or evidence was added meanwhile. */
  started?: StartedGit
}

/** Refuses an unknown task. */
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
  const { started } = options
  const isCurrent = started?.spawn === spawn?.id && started?.evidence === (rows.at(-1)?.seq ?? 0)
  const where = isCurrent ? started?.where : undefined
  const stale: Standing['stale'] =
    options.recheck === false
      ? (options.stale ?? new Map())
      : await staleRows(context, taskId, { spawn, where, rows: counted })
  const facts: EvidenceFacts = { spawn: spawn?.id, rows, counted, stale, file }
  const required = spawn ? gatesRequiredOf(spawn, row.stage, config) : requiredGates(protocol, stage, config)
  const work = spawn && (await import('../evidence/spawn-work.ts')).spawnWork(context, spawn, rows, where)
  // Others can change the files after a task was closed. So for a closed task, changed files add no gates.
  const byWork = closed(row.status) ? noGatesByWork : await gatesByWork(context, spawn, required, work)
  const texts = await criteria.read(store, taskId)
  const unnamed = proofStandings(facts, texts, required, byWork)
  // Most checked tasks lack nothing. Only if something is missing, read the facts from which the suggested commands
  // are made.
  const isComplete = [...unnamed.gates, ...unnamed.criteria].every(({ fix }) => fix === undefined)
  const proofs = isComplete
    ? unnamed
    : proofStandings(
        { ...facts, lines: await verifyLineFacts(context, row, spawn, file) },
        texts,
        required,
        byWork,
      )
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
    ...proofs,
    ...(spawn?.protocol === 'decomposition' &&
      !options.closing &&
      (await isContainer(store, row)) && { splits: true as const }),
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

const noGatesByWork: GatesByWork & { doubtful: string[] } = { gates: [], why: '', doubtful: [] }

const gatesByWork = async (
  { config }: Context,
  spawn: spawns.SpawnRow | undefined,
  required: readonly Gate[],
  work: SpawnWork | undefined,
): Promise<typeof noGatesByWork> => {
  const gates = spawn ? gatesForChanges(spawn, required, config) : []
  if (!spawn || gates.length === 0) return noGatesByWork
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
  // Leave out the declared files, because they must not change the protocol that the title chooses.
  const task = { type, title, labels, files: [], ...(stage && { stage }) }
  return chooseSkill(context, await openCatalogue(context), task).dispatched.protocol
}

/**
 * Returns a map from the number of each stale evidence row to the reason. A row is stale if `recheck` or
 * `applicableNow` finds it. A row from another folder than the newest evidence is also stale, because it is about other
 * files.
 */
const staleRows = async (
  context: Context,
  task: string,
  { spawn, where, rows }: { spawn?: spawns.SpawnRow; where?: EvidenceFolder; rows: readonly Evidence[] },
): Promise<ReadonlyMap<number, string>> => {
  if (rows.length === 0) return new Map()
  const passed = rows.filter(({ state, worktree }) => state === 'passed' && worktree !== null)
  const folder = passed.at(-1)?.worktree
  const elsewhere = passed.filter(({ worktree }) => worktree !== folder)
  const here = passed.filter(({ worktree }) => worktree === folder)
  return new Map([
    ...elsewhere.map(
      ({ seq, worktree }) =>
        [
          seq,
          `newer evidence is from ${folder}, so this evidence from ${worktree} no longer counts`,
        ] as const,
    ),
    ...(await recheck(context, task, spawn, here, where)),
    ...(await applicableNow(context, rows)),
  ])
}

/** Finds gates that were recorded as not applicable although the project now has a command for them. */
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
    // While the task is out, only its spawn may give evidence, so the suggested commands name that spawn for every
    // caller.
    ...(row.attempt_out > 0
      ? { as: `${row.id}.${row.attempt_out}` }
      : actor.agent && parseSpawnId(actor.id) && { as: actor.id }),
    files: await lists.read(store, 'files', row.id),
    git: termsOf(spawn)?.git || hasRepository(host, folder),
    ...(pins && { tools: Object.keys(pins) as VerifyLineFacts['tools'] }),
    ...(below && { output: below }),
  }
}
