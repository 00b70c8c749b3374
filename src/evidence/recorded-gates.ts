import * as spawns from '../claims/sql/spawns.ts'
import type { Config } from '../kernel/config.ts'
import { gates } from '../kernel/protocol.ts'
import type { Db } from '../store/port.ts'
import type { TaskRow } from '../store/rows.ts'
import type { Task } from '../tasks/shape.ts'
import { gatesAskedOf } from './pins.ts'
import { type Seen, seenWords } from './seen.ts'
import * as evidence from './sql.ts'

/** The gates of a task as they were recorded. Whether they still hold is for `verify` to look at. */
export const gatesOf = async (db: Db, row: TaskRow, config: Config): Promise<Task['gates']> => {
  const spawn = await spawns.lastProtocol(db, row.id)
  const rows = await evidence.ofGates(db, row.id)
  if (!spawn && rows.length === 0) return undefined
  const required = spawn ? gatesAskedOf(spawn, row.stage, config) : []
  const shown = gates.flatMap((gate) => {
    const found = rows.find((each) => each.gate === gate)
    const isWaived = found?.state === 'waived'
    // Each attempt proves its own work; what a person let go stays so.
    const own = isWaived || (found && found.spawn === (spawn?.id ?? null)) ? found : undefined
    if (!own && !required.includes(gate)) return []
    const seen = own ? (JSON.parse(own.atoms) as Seen[]).flatMap(seenWords) : []
    const told = isWaived ? [`waived by ${own!.actor}: ${own!.reason}`] : seen
    const state = own ? (own.state === 'waived' ? 'na' : own.state) : 'unset'
    return [[gate, { state, evidence: told }] as const]
  })
  return shown.length > 0 ? Object.fromEntries(shown) : undefined
}
