import { ok } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Store } from '../store/port.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding } from './doctor-finding.ts'

interface RepairCheck {
  id: string
  question: string
  find(store: Store): Promise<(Pick<DoctorFinding, 'what' | 'why' | 'where'> | undefined)[]>
  /** Repairs all wrong values in one transaction. Returns how many rows changed. */
  repair(tx: Write): Promise<number>
}

/** A check for wrong values that CLEO can compute again. */
export const repairCheck = ({ id, question, find, repair }: RepairCheck): StoreCheck => ({
  id,
  question,
  needs: 'store',
  changesRows: true,
  async find({ store }) {
    const faults = await find(store)
    return faults.flatMap((fault) =>
      fault ? [fixableFinding({ kind: 'state', severity: 'error', ...fault })] : [],
    )
  },
  async fix({ write }: Context) {
    await write(async (tx) => ok(await repair(tx)))
  },
})
