import { requiredGates } from '../../contract/required-gates.ts'
import type { CriterionStanding, GateStanding, Standing } from '../../contract/standing.ts'
import { sha256 } from '../../host/sha256.ts'
import { resolvePath } from '../../model/path.ts'
import { type Gate, gates, type Protocol } from '../../model/protocol.ts'
import { refuse } from '../../model/result.ts'
import * as criteria from '../../store/criteria.ts'
import * as entries from '../../store/entries.ts'
import type { EvidenceRow } from '../../store/evidence.ts'
import * as evidence from '../../store/evidence.ts'
import type { TaskRow } from '../../store/rows.ts'
import * as spawns from '../../store/spawns.ts'
import * as lists from '../../store/task-lists.ts'
import * as tasks from '../../store/tasks.ts'
import type { Context, Project } from '../context.ts'
import type { Wishes } from '../spawn/asked.ts'

export interface StandingOptions {
  /** Looks at what the evidence rests on again: files, commits, the tree a tool ran on. True when left out. */
  recheck?: boolean
}

/** How a task stands against its contract right now. A task that is not there is refused. */
export const standingOf = async (
  context: Context,
  taskId: string,
  _options: StandingOptions = {},
): Promise<Standing> => {
  const { store, config } = context
  const row = (await tasks.find(store, taskId)) ?? refuse('task.not_found', { id: taskId })
  const spawn = await spawns.latest(store, taskId)
  const entry = spawn && (await entries.ofSpawn(store, spawn.id))
  const rows = await evidence.latestOf(store, taskId)
  const protocol = spawn?.protocol ?? (await dispatched(context, row))
  const stage = row.stage ?? protocol
  const worktree = spawn && (JSON.parse(spawn.asked) as Wishes).worktree
  const body = entry && (JSON.parse(entry.body) as Record<string, unknown>)
  const file = entry && (await fileOf(context, entry, body!))
  const required = requiredGates(protocol, stage, config)
  return {
    task: taskId,
    protocol,
    stage,
    under: spawn ? 'spawn' : 'nothing',
    ...(spawn && {
      spawn: {
        id: spawn.id,
        at: spawn.at,
        ...(spawn.started_at !== null && { startedAt: spawn.started_at }),
        ...(worktree !== undefined && { worktree }),
      },
    }),
    ...(entry && { entry: { seq: entry.seq, id: entry.id, status: entry.status, body: body! } }),
    ...(file && { file }),
    gates: gates.flatMap((gate) => {
      const row = rows.find((each) => each.gate === gate)
      return required.includes(gate) || row ? [gateStanding(gate, required.includes(gate), row, file)] : []
    }),
    criteria: (await criteria.read(store, taskId)).map(
      ({ n, text, state }): CriterionStanding => ({ n, text, state }),
    ),
    seen: { updatedAt: row.updated_at, evidence: rows.at(-1)?.seq ?? 0 },
  }
}

const dispatched = async (context: Context, row: TaskRow): Promise<Protocol> => {
  const { openCatalogue } = await import('../skills/catalogue.ts')
  const { choose } = await import('../skills/choose.ts')
  const labels = await lists.read(context.store, 'labels', row.id)
  const { type, title, description, stage } = row
  const task = { type, title, description, labels, ...(stage && { stage }) }
  return choose(context, await openCatalogue(context), task).dispatched.protocol
}

const gateStanding = (
  gate: Gate,
  required: boolean,
  row: EvidenceRow | undefined,
  file: Standing['file'],
): GateStanding => {
  if (row) return { gate, required, state: row.state }
  return { gate, required, state: gate === 'documented' && file?.state === 'there' ? 'passed' : 'unset' }
}

const fileOf = async (
  { host, root, config }: Project,
  { place, sha256: then }: entries.EntryRow,
  body: Record<string, unknown>,
): Promise<Standing['file']> => {
  if (typeof body['file'] !== 'string') return undefined
  const usual = config.output?.dir ?? 'claudedocs/agent-outputs'
  const manifest = resolvePath(place || root, config.manifest?.path ?? `${usual}/MANIFEST.jsonl`)
  const path = resolvePath(manifest.slice(0, manifest.lastIndexOf('/')), body['file'])
  if (host.files.kind(path) !== 'file') return { path, state: 'missing' }
  const now = then === null ? null : sha256((await host.files.load(path)) ?? '')
  return { path, state: now === then ? 'there' : 'changed' }
}
