import { type Gate, toolsFor } from '../kernel/protocol.ts'
import type { Problem } from '../kernel/result.ts'
import type { Atom } from './atoms.ts'

/** Properties of the project that decide which evidence a gate accepts. */
export interface ProjectTerms {
  git: boolean
  /** Whether test reports count as evidence. A person may allow this in a project where only CI can run the tests. */
  reports: boolean
}

/** Looks only at the kinds and tools of the atoms, not at files or git. */
export const gateProblems = (gate: Gate, atoms: readonly Atom[], terms: ProjectTerms): Problem[] => {
  const has = (kind: Atom['kind']) => atoms.some((atom) => atom.kind === kind)
  const tools = toolsFor[gate]
  const hasTool = atoms.some((atom) => atom.kind === 'tool' && tools?.includes(atom.tool))
  const untrusted = has('test-run') && !terms.reports ? [untrustedReport] : []
  const proved = {
    implemented: has('files') && (has('commit') || !terms.git),
    testsPassed: hasTool || (has('test-run') && terms.reports),
    qaPassed: hasTool,
    documented: has('files') || has('url'),
    securityPassed: hasTool || has('note'),
    cleanupDone: has('note'),
  }[gate]
  return [
    ...untrusted,
    ...(proved || untrusted.length > 0
      ? []
      : [{ path: gate, message: `${provedBy(gate, terms)} proves it` }]),
  ]
}

const untrustedReport: Problem = {
  path: 'test-run',
  message:
    'an agent could write a report itself; use tool:test, or ask a person to set gates.reports in .cleo/config.json',
}

const provedBy = (gate: Gate, { git, reports }: ProjectTerms): string => {
  const tools = (toolsFor[gate] ?? []).map((tool) => `tool:${tool}`)
  switch (gate) {
    case 'implemented':
      return git ? 'commit:HEAD together with files:<paths>' : 'files:<paths>'
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

/** A criterion needs at least one atom that can be checked again; a note or a URL alone is not enough. */
export const criterionProblems = (atoms: readonly Atom[], terms: ProjectTerms): Problem[] => {
  if (atoms.some(({ kind }) => kind === 'test-run') && !terms.reports) return [untrustedReport]
  return atoms.some(({ kind }) => kind !== 'note' && kind !== 'url')
    ? []
    : [{ path: 'criterion', message: 'only files:, commit: or tool: proves it; a note or URL can be added' }]
}
