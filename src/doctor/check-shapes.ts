import { ok, Refused } from '../kernel/result.ts'
import type { Context, Write } from '../operation/context.ts'
import type { Db, Store } from '../store/port.ts'
import type { FileCheck, StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding, mostShown } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'
import type { LimitedRows } from './sql/limited.ts'

interface Common {
  id: string
  question: string
}

interface ListCheck<Subject, Item>
  extends Common,
    Pick<DoctorFinding, 'kind' | 'severity' | 'why' | 'advice'> {
  find(subject: Subject): Promise<readonly Item[]> | readonly Item[]
  /** Describes the problem, given the names of the first items. */
  what(names: string): string
  name(item: Item): string
  where?(first: Item): string
  fix?(subject: Subject, item: Item): Promise<void> | void
  /** The command that the finding suggests if there is no `fix`. */
  command?: string
}

/** Makes a check that reports all its items in one finding, as a list of names. */
export const fileListCheck = <Item>(check: ListCheck<ExaminedProject, Item>): FileCheck => ({
  needs: 'files',
  ...listCheck(check),
})

export const storeListCheck = <Item>(check: ListCheck<Context, Item>): StoreCheck => ({
  needs: 'store',
  ...listCheck(check),
})

const listCheck = <Subject extends { dryRun: boolean }, Item>(check: ListCheck<Subject, Item>) => {
  const { id, question, kind, severity, why, advice, fix, command } = check
  return {
    id,
    question,
    async find(subject: Subject): Promise<DoctorFinding[]> {
      const items = await check.find(subject)
      if (items.length === 0) return []
      const what = check.what(listNames(items.map(check.name)))
      const where = check.where?.(items[0]!)
      const finding = { kind, severity, what, why, ...(where !== undefined && { where }) }
      if (fix) return [fixableFinding(finding)]
      return [manualFinding({ ...finding, ...(advice && { advice }), ...(command && { fix: command }) })]
    },
    ...(fix && {
      async fix(subject: Subject): Promise<void> {
        let refused: Refused | undefined
        for (const item of subject.dryRun ? [] : await check.find(subject))
          try {
            await fix(subject, item)
          } catch (error) {
            if (!(error instanceof Refused)) throw error
            refused ??= error
          }
        // Throw the refusal of one item only after the other items are fixed.
        if (refused) throw refused
      },
    }),
  }
}

interface RowCheck<Row> extends Common {
  severity: DoctorFinding['severity']
  find(db: Db, now: number): Promise<LimitedRows<Row>>
  what(row: Row, now: number): string
  why: string
  where(row: Row): string
  fix(row: Row): string
  advice?: string
}

/** Makes a check that reports one finding for each wrong row. A person has to decide what to do with the row. */
export const rowCheck = <Row>(check: RowCheck<Row>): StoreCheck => ({
  id: check.id,
  question: check.question,
  needs: 'store',
  async find({ store }) {
    const now = await store.now()
    const { rows, total } = await check.find(store, now)
    const more = total > mostShown ? ` (and ${total - mostShown} more like it)` : ''
    return rows.map((row, i) =>
      manualFinding({
        kind: 'state',
        severity: check.severity,
        what: `${check.what(row, now)}${i === 0 ? more : ''}`,
        why: check.why,
        where: check.where(row),
        ...(check.advice && { advice: check.advice }),
        fix: check.fix(row),
      }),
    )
  },
})

interface RepairCheck extends Common {
  find(store: Store): Promise<(Pick<DoctorFinding, 'what' | 'why' | 'where'> | undefined)[]>
  /** Returns how many rows changed. */
  repair(tx: Write): Promise<number>
}

/** Makes a check that finds wrong values and fixes them by computing the values again. */
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
