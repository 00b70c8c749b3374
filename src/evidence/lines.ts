import type { Tool } from '../kernel/config-words.ts'
import { shellQuote } from '../kernel/print/shell-quote.ts'
import type { Gate } from '../kernel/protocol.ts'
import { toolsFor } from './proofs.ts'
import type { Seen } from './seen.ts'

/** What the lines are made for. */
export interface LineFacts {
  task: string
  /** The spawn that is to run them, where it is one. */
  as?: string
  /** Declared scope. */
  files: readonly string[]
  git: boolean
  /** Tools the project has, as far as that is known. */
  tools?: readonly Tool[]
  /** The output file, below the folder of the work. */
  output?: string
}

/** The line that proves a gate, as far as it can be told; `before` is what was given last time. */
export const gateLine = (facts: LineFacts, gate: Gate, before: readonly Seen[] = []): string =>
  verifyLine(facts, `--gate ${gate}`, atomsFor(facts, gate, before))

export const criterionLine = (facts: LineFacts, n: number, before: readonly Seen[] = []): string => {
  const again = before.flatMap((seen) => (seen.kind === 'criterion' ? [] : said(seen)))
  return verifyLine(facts, `--criterion ${n}`, again.length > 0 ? again.join(';') : 'files:<paths>')
}

/** The call itself. */
export const verifyLine = (
  { task, as }: Pick<LineFacts, 'task' | 'as'>,
  what: string,
  atoms: string,
): string => `cleo verify ${task} ${what} --evidence ${quoted(atoms)}${as ? ` --as ${as}` : ''}`

/** In double quotes, as prompts show it, unless a shell would find something in it to act on. */
const quoted = (atoms: string): string =>
  /^[\w@%+=:,./;<> …-]+$/.test(atoms) ? `"${atoms}"` : shellQuote(atoms)

const atomsFor = (facts: LineFacts, gate: Gate, before: readonly Seen[]): string => {
  switch (gate) {
    case 'implemented':
      return `${facts.git ? 'commit:HEAD;' : ''}files:${pathsOf(facts, before)}`
    case 'documented':
      return before.length > 0 ? before.flatMap(said).join(';') : `files:${facts.output ?? '<output file>'}`
    case 'cleanupDone':
      return 'note:<what was cleaned up>'
    default: {
      const given = before.flatMap((seen) => (seen.kind === 'tool' ? [seen.tool] : []))[0]
      const tools = toolsFor[gate]!
      return `tool:${given ?? tools.find((tool) => facts.tools?.includes(tool)) ?? tools[0]}`
    }
  }
}

const pathsOf = ({ files }: LineFacts, before: readonly Seen[]): string => {
  const given = before.flatMap((seen) => (seen.kind === 'files' ? seen.files.map(({ path }) => path) : []))
  if (given.length > 0) return given.join(',')
  return files.length > 0 && files.every((path) => !/[*?,;]/.test(path)) ? files.join(',') : '<changed files>'
}

const said = (seen: Seen): string[] => {
  if (seen.kind === 'files') return [`files:${seen.files.map(({ path }) => path).join(',')}`]
  if (seen.kind === 'commit') return ['commit:HEAD']
  if (seen.kind === 'tool') return [`tool:${seen.tool}`]
  if (seen.kind === 'test-run') return [`test-run:${seen.path}`]
  return seen.kind === 'url' ? [`url:${seen.url}`] : []
}
