import type { Tool } from '../kernel/config-words.ts'
import type { Gate } from '../kernel/protocol.ts'
import type { Problem } from '../kernel/result.ts'
import type { Atom } from './atoms.ts'

/** What a project has that decides on what proves a gate. */
export interface Terms {
  git: boolean
  /** Report files are written by a CI alone. */
  reports: boolean
}

/** The tools that can prove a gate; what kind of tool it is matters: a linter says nothing about tests. */
export const toolsFor: Readonly<Partial<Record<Gate, readonly Tool[]>>> = {
  testsPassed: ['test'],
  qaPassed: ['lint', 'typecheck', 'build'],
  securityPassed: ['audit'],
}

/** Gates that nobody can waive and no configuration overrides. */
export const hardGates: readonly Gate[] = ['implemented', 'testsPassed']

/** Why these atoms cannot prove a gate, whatever they turn out to hold. */
export const unfitFor = (gate: Gate, atoms: readonly Atom[], terms: Terms): Problem[] => {
  const has = (kind: Atom['kind']) => atoms.some((atom) => atom.kind === kind)
  const tools = toolsFor[gate]
  const hasTool = atoms.some((atom) => atom.kind === 'tool' && tools?.includes(atom.tool))
  const forged = has('test-run') && !terms.reports ? [untrustedReport] : []
  const proved = {
    implemented: has('files') && (has('commit') || !terms.git),
    testsPassed: hasTool || (has('test-run') && terms.reports),
    qaPassed: hasTool,
    documented: has('files') || has('url'),
    securityPassed: hasTool || has('note'),
    cleanupDone: has('note'),
  }[gate]
  return [
    ...forged,
    ...(proved || forged.length > 0 ? [] : [{ path: gate, message: `${provedBy(gate, terms)} proves it` }]),
  ]
}

const untrustedReport: Problem = {
  path: 'test-run',
  message:
    'anybody can write a report; tool:test proves that tests pass, or a person sets gates.reports in .cleo/config.json',
}

const provedBy = (gate: Gate, { git, reports }: Terms): string => {
  const tools = (toolsFor[gate] ?? []).map((tool) => `tool:${tool}`)
  switch (gate) {
    case 'implemented':
      return git ? 'commit:<sha> together with files:<paths>' : 'files:<paths>'
    case 'testsPassed':
      return reports ? 'tool:test or test-run:<report>' : 'only tool:test'
    case 'documented':
      return 'files:<paths> or url:<https…>'
    case 'securityPassed':
      return 'tool:audit or note:<text>'
    case 'cleanupDone':
      return 'note:<what was cleaned up>'
    case 'qaPassed':
      return tools.join(' or ')
  }
}

/** A criterion asks for something that can be looked at again; a note or an address may go with it. */
export const unfitForCriterion = (atoms: readonly Atom[], terms: Terms): Problem[] => {
  if (atoms.some(({ kind }) => kind === 'test-run') && !terms.reports) return [untrustedReport]
  return atoms.some(({ kind }) => kind !== 'note' && kind !== 'url')
    ? []
    : [{ path: 'criterion', message: 'files:, commit: or tool: proves it; a note may go with them' }]
}
