import type { Actor } from '../kernel/actor.ts'
import type { Tool } from '../kernel/config-words.ts'
import { type Gate, toolsFor } from '../kernel/protocol.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import { shellQuote } from '../print/shell-quote.ts'
import type { ObservedAtom } from './observed-atom.ts'

export interface VerifyLineFacts {
  task: string
  /** The spawn that will run the commands. */
  as?: string
  /** The files that the task declares. */
  files: readonly string[]
  git: boolean
  /** The tools for which the project has a command, if known. */
  tools?: readonly Tool[]
  /** The output file, relative to the work folder. */
  output?: string
}

/** `before` is the evidence that was last given for the gate. */
export const gateLine = (facts: VerifyLineFacts, gate: Gate, before: readonly ObservedAtom[] = []): string =>
  verifyLine(facts, `--gate ${gate}`, atomsFor(facts, gate, before))

export const criterionLine = (
  facts: VerifyLineFacts,
  n: number,
  before: readonly ObservedAtom[] = [],
): string => {
  const again = before.flatMap((atom) => (atom.kind === 'criterion' ? [] : atomText(atom)))
  return verifyLine(facts, `--criterion ${n}`, again.length > 0 ? again.join(';') : 'files:<paths>')
}

export const verifyLine = (
  { task, as }: Pick<VerifyLineFacts, 'task' | 'as'>,
  what: string,
  atoms: string,
): string => `cleo verify ${task} ${what} --evidence ${quoted(atoms)}${as ? ` --as ${as}` : ''}`

export const asFlag = ({ id, agent }: Actor): string => (agent && parseSpawnId(id) ? ` --as ${id}` : '')

/** Uses double quotes, as prompts do, if all characters are safe inside double quotes. */
const quoted = (atoms: string): string =>
  /^[\w@%+=:,./;<> …-]+$/.test(atoms) ? `"${atoms}"` : shellQuote(atoms)

const atomsFor = (facts: VerifyLineFacts, gate: Gate, before: readonly ObservedAtom[]): string => {
  switch (gate) {
    case 'implemented':
      return `${facts.git ? 'commit:HEAD;' : ''}files:${pathsOf(facts, before)}`
    case 'documented':
      return before.length > 0
        ? before.flatMap(atomText).join(';')
        : `files:${facts.output ?? '<output file>'}`
    case 'cleanupDone':
      return 'note:<what was cleaned up>'
    default: {
      const given = before.flatMap((atom) => (atom.kind === 'tool' ? [atom.tool] : []))[0]
      const tools = toolsFor[gate]!
      return `tool:${given ?? tools.find((tool) => facts.tools?.includes(tool)) ?? tools[0]}`
    }
  }
}

const pathsOf = ({ files }: VerifyLineFacts, before: readonly ObservedAtom[]): string => {
  const given = before.flatMap((atom) => (atom.kind === 'files' ? atom.files.map(({ path }) => path) : []))
  if (given.length > 0) return given.join(',')
  return files.length > 0 && files.every((path) => !/[*?,;]/.test(path)) ? files.join(',') : '<changed files>'
}

const atomText = (atom: ObservedAtom): string[] => {
  if (atom.kind === 'files') return [`files:${atom.files.map(({ path }) => path).join(',')}`]
  if (atom.kind === 'commit') return ['commit:HEAD']
  if (atom.kind === 'tool') return [`tool:${atom.tool}`]
  if (atom.kind === 'test-run') return [`test-run:${atom.path}`]
  return atom.kind === 'url' ? [`url:${atom.url}`] : []
}
