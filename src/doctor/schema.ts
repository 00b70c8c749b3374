import { Refused } from '../kernel/result.ts'
import { canRemake, type Odd, oddParts, remake } from '../store/sqlite/shape.ts'
import type { FileCheck } from './check.ts'
import { type Finding, mendable, named, open } from './finding.ts'
import { openFor, type Patient } from './patient.ts'

export const schema: FileCheck = {
  id: 'schema',
  needs: 'files',
  asks: "Has the database this CLEO's tables, indexes and triggers?",
  async look(patient) {
    const { state } = patient
    if (state.is === 'older') return [older(state.schema)]
    const odd = await oddOf(patient)
    if (odd.some(({ type, differs }) => type === 'table' || differs)) patient.state = { is: 'damaged' }
    return findings(odd)
  },
  async mend(patient) {
    if (patient.dryRun) return
    if (patient.state.is === 'older') return upgrade(patient)
    for (const part of (await oddOf(patient)).filter(canRemake)) await remake(patient.context!.store, part)
  },
}

const oddOf = async ({ state, context }: Patient): Promise<Odd[]> =>
  state.is === 'open' && context?.store.dialect.name === 'sqlite' ? oddParts(context.store) : []

const upgrade = async (patient: Patient): Promise<void> => {
  await openFor(patient, true)
  if (patient.state.is === 'refused') throw new Refused(patient.state.failure)
}

const older = (found: number): Finding =>
  mendable({
    kind: 'file',
    severity: 'warning',
    what: `.cleo/cleo.db was written by an older CLEO (schema ${found})`,
    why: 'the next command brings it up to date, with a backup first; until then the rest cannot be looked at',
    where: '.cleo/cleo.db',
  })

const findings = (odd: readonly Odd[]): Finding[] => {
  const about = { severity: 'error', where: '.cleo/cleo.db' } as const
  const lost = odd.filter((part) => !canRemake(part)).map(describe)
  const light = odd.filter(canRemake).map(describe)
  return [
    ...(lost.length > 0
      ? [
          open({
            ...about,
            kind: 'damage',
            what: `.cleo/cleo.db lacks ${named(lost)}`,
            why: 'somebody changed the file by hand, and commands fail or write the wrong thing',
            fix: 'cleo restore --list',
          }),
        ]
      : []),
    ...(light.length > 0
      ? [
          mendable({
            ...about,
            kind: 'file',
            what: `.cleo/cleo.db lacks ${named(light)}`,
            why: 'lists get slow or words are not found; it is made again without touching a task',
          }),
        ]
      : []),
  ]
}

const describe = ({ type, name, differs }: Odd): string =>
  `the ${type} ${name}${differs ? ' as CLEO makes it' : ''}`
