import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { hasRepository } from '../host/repository.ts'
import { gates, type Protocol } from '../kernel/protocol.ts'
import { refuse } from '../kernel/result.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import * as criteria from '../tasks/sql/criteria.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import { fileOf } from './entry-file.ts'
import { type Facts, ofCriterion, ofGate } from './hold.ts'
import type { LineFacts } from './lines.ts'
import { gatesAskedOf, pinsOf, termsOf } from './pins.ts'
import { type Evidence, readRow, recheck } from './recheck.ts'
import { requiredGates } from './required-gates.ts'
import * as evidence from './sql.ts'
import type { Standing } from './standing-shape.ts'

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
  const asked = optionsOf(spawn)
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
  const required = spawn ? gatesAskedOf(spawn, row.stage, config) : requiredGates(protocol, stage, config)
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
    ...(await appliesByNow(context, rows)),
  ])
}

/** A gate did not apply for want of a command, and one has come since. */
const appliesByNow = async (context: Context, rows: readonly Evidence[]): Promise<[number, string][]> => {
  const without = rows.filter(({ state, worktree }) => state === 'na' && worktree !== null)
  if (without.length === 0) return []
  const { commandsIn } = await import('../commands/project-commands.ts')
  const found: [number, string][] = []
  for (const { seq, worktree, atoms } of without) {
    const commands = await commandsIn(context, worktree!)
    const tool = atoms.flatMap((atom) => (atom.kind === 'tool' && commands[atom.tool] ? [atom.tool] : []))[0]
    if (tool) found.push([seq, `the project has a command for ${tool} by now`])
  }
  return found
}

const lineFacts = async (
  { store, actor, host, root }: Context,
  row: TaskRow,
  spawn: spawns.SpawnRow | undefined,
  file: Standing['file'],
): Promise<LineFacts> => {
  const folder = optionsOf(spawn)?.worktree ?? root
  const below = file?.path.startsWith(`${folder}/`) ? file.path.slice(folder.length + 1) : undefined
  const pins = pinsOf(spawn)
  return {
    task: row.id,
    ...(actor.agent && parseSpawnId(actor.id) && { as: actor.id }),
    files: await lists.read(store, 'files', row.id),
    git: termsOf(spawn)?.git || hasRepository(host, folder),
    ...(pins && { tools: Object.keys(pins) as LineFacts['tools'] }),
    ...(below && { output: below }),
  }
}
