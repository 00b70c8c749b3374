import * as spawns from '../claims/sql/spawns.ts'
import type { Config } from '../kernel/config.ts'
import { gates } from '../kernel/protocol.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Task } from '../tasks/task-shape.ts'
import { atomTexts, type ObservedAtom } from './observed-atom.ts'
import { gatesRequiredOf } from './required-gates.ts'
import * as evidence from './sql.ts'

/** Returns the gates of a task as recorded. Only `verify` checks whether the evidence still holds. */
export const recordedGates = async (db: Db, row: TaskRow, config: Config): Promise<Task['gates']> => {
  const spawn = await spawns.lastProtocol(db, row.id)
  const rows = await evidence.ofGates(db, row.id)
  if (!spawn && rows.length === 0) return undefined
  const required = spawn ? gatesRequiredOf(spawn, row.stage, config) : []
  const shown = gates.flatMap((gate) => {
    const found = rows.find((each) => each.gate === gate)
    const isWaived = found?.state === 'waived'
    // Each attempt must prove its own work; only waivers carry over from earlier attempts.
    const own = isWaived || (found && found.spawn === (spawn?.id ?? null)) ? found : undefined
    if (!own && !required.includes(gate)) return []
    const atoms = own ? (JSON.parse(own.atoms) as ObservedAtom[]).flatMap(atomTexts) : []
    const texts = isWaived ? [`waived by ${own!.actor}: ${own!.reason}`] : atoms
    const state = own ? (own.state === 'waived' ? 'na' : own.state) : 'unset'
    return [[gate, { state, evidence: texts }] as const]
  })
  return shown.length > 0 ? Object.fromEntries(shown) : undefined
}
