import type { Protocol } from '../../kernel/protocol.ts'

export type Words = Readonly<Partial<Record<Protocol, readonly string[]>>>

/** A title that starts with one of these says what kind of work it is. */
export const leading: Words = {
  research: ['research', 'investigate', 'explore', 'compare'],
  consensus: ['vote', 'decide'],
  specification: ['specify', 'design'],
  decomposition: ['plan', 'decompose'],
  contribution: ['contribute'],
}

/** These start a title as well, but what is built may say more: "Write the RFC for sign-in". */
export const making = ['implement', 'build', 'create', 'add', 'fix', 'write', 'refactor'] as const

/** Nouns that tell the kind of work wherever they stand. */
export const telling: Words = {
  research: ['research', 'investigation'],
  consensus: ['consensus', 'vote'],
  specification: ['spec', 'specification', 'rfc', 'adr'],
  decomposition: ['epic', 'breakdown', 'decomposition'],
  contribution: ['pr', 'pull request', 'contribution'],
}

/** Words that mean a release only in company: "Release database connections" is none. */
export const releasing = { words: ['release', 'publish'], with: ['notes', 'package', 'changelog'] }

/** Everyday verbs that mislead: none of them decides alone, not even as a skill's trigger. */
export const misleading = ['validate', 'merge', 'release', 'version', 'record', 'share'] as const
