import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { atomTexts, type ObservedAtom } from '../evidence/observed-atom.ts'
import * as evidence from '../evidence/sql.ts'
import { type Gate, gates } from '../kernel/protocol.ts'
import * as entries from '../manifest/sql/entries.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Task } from '../tasks/task-shape.ts'
import { gatesRequiredOf } from './required-gates.ts'

/**
 * Returns the recorded state of each gate. Unlike `verify`, does not check whether the evidence still holds. As in
 * `verify`, the output file of the entry can prove the gate `documented`.
 */
export const recordedGates = async (context: Context, row: TaskRow): Promise<Task['gates']> => {
  const { store, config } = context
  const spawn = await spawns.lastProtocol(store, row.id)
  const rows = await evidence.ofGates(store, row.id)
  if (!spawn && rows.length === 0) return undefined
  const required = spawn ? gatesRequiredOf(spawn, row.stage, config) : []
  const shown: [Gate, ShownGate][] = []
  for (const gate of gates) {
    const found = rows.find((each) => each.gate === gate)
    const isWaived = found?.state === 'waived'
    // Each attempt must prove its own work, but waivers of earlier attempts stay valid.
    const own = isWaived || (found && found.spawn === (spawn?.id ?? null)) ? found : undefined
    if (!own && !required.includes(gate)) continue
    const byFile =
      gate === 'documented' && spawn && (!own || own.state === 'failed')
        ? await documentedBy(context, spawn.id)
        : undefined
    shown.push([gate, byFile ?? (own ? asShown(own) : { state: 'unset', evidence: [] })])
  }
  return shown.length > 0 ? Object.fromEntries(shown) : undefined
}

type ShownGate = NonNullable<Task['gates']>[string]

const asShown = ({ state, actor, reason, atoms }: evidence.EvidenceRow): ShownGate =>
  state === 'waived'
    ? { state: 'na', evidence: [`waived by ${actor}: ${reason}`] }
    : { state, evidence: (JSON.parse(atoms) as ObservedAtom[]).flatMap(atomTexts) }

const documentedBy = async (context: Context, id: string): Promise<ShownGate | undefined> => {
  const entry = await entries.ofSpawn(context.store, id)
  if (!entry) return undefined
  const { entryFileOf } = await import('./entry-file.ts')
  const spawn = await spawns.find(context.store, id)
  const body = JSON.parse(entry.body) as Record<string, unknown>
  const file = await entryFileOf(context, entry, body, optionsOf(spawn))
  if (!file || file.state === 'missing') return undefined
  return { state: file.state === 'there' ? 'passed' : 'stale', evidence: [] }
}
