import { Refused } from '../kernel/result.ts'
import {
  canRecreate,
  recreate,
  type SchemaDifference,
  schemaDifferences,
} from '../store/sqlite/schema-differences.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding } from './doctor-finding.ts'
import { type ExaminedProject, openProjectStore } from './examined-project.ts'

export const schema: FileCheck = {
  id: 'schema',
  needs: 'files',
  question: "Does the database have this version's tables, indexes and triggers?",
  async find(project) {
    const { state } = project
    if (state.is === 'older') return [olderSchemaFinding(state.schema)]
    const odd = await differences(project)
    if (odd.some(({ type, differs }) => type === 'table' || differs)) project.state = { is: 'damaged' }
    return findings(odd)
  },
  async fix(project) {
    if (project.dryRun) return
    if (project.state.is === 'older') return upgrade(project)
    for (const part of (await differences(project)).filter(canRecreate))
      await recreate(project.context!.store, part)
  },
}

const differences = async ({ state, context }: ExaminedProject): Promise<SchemaDifference[]> =>
  state.is === 'open' && context?.store.dialect.name === 'sqlite' ? schemaDifferences(context.store) : []

const upgrade = async (project: ExaminedProject): Promise<void> => {
  await openProjectStore(project, true)
  if (project.state.is === 'refused') throw new Refused(project.state.failure)
}

const olderSchemaFinding = (found: number): DoctorFinding =>
  fixableFinding({
    kind: 'file',
    severity: 'warning',
    what: `.cleo/cleo.db was written by an older CLEO (schema ${found})`,
    why: 'the next command backs it up and migrates it; until then its content cannot be checked',
    where: '.cleo/cleo.db',
  })

const findings = (odd: readonly SchemaDifference[]): DoctorFinding[] => {
  const about = { severity: 'error', where: '.cleo/cleo.db' } as const
  const lost = odd.filter((part) => !canRecreate(part)).map(describe)
  const rebuildable = odd.filter(canRecreate).map(describe)
  return [
    ...(lost.length > 0
      ? [
          manualFinding({
            ...about,
            kind: 'damage',
            what: `.cleo/cleo.db is missing ${listNames(lost)}`,
            why: 'the file was changed outside CLEO; commands fail or write wrong data',
            fix: 'cleo restore --list',
          }),
        ]
      : []),
    ...(rebuildable.length > 0
      ? [
          fixableFinding({
            ...about,
            kind: 'file',
            what: `.cleo/cleo.db is missing ${listNames(rebuildable)}`,
            why: 'lists get slow or searches miss tasks; rebuilding it changes no task',
          }),
        ]
      : []),
  ]
}

const describe = ({ type, name, differs }: SchemaDifference): string =>
  `the ${type} ${name}${differs ? ' as CLEO creates it' : ''}`
