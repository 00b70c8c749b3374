import { type Tool, toolNames } from '../kernel/config-words.ts'
import { nearest } from '../kernel/nearest.ts'
import type { Problem } from '../kernel/result.ts'

/** One piece of evidence, as it is named. */
export type Atom =
  | { kind: 'commit'; ref: string }
  | { kind: 'files'; paths: string[] }
  | { kind: 'tool'; tool: Tool }
  | { kind: 'test-run'; path: string }
  | { kind: 'url'; url: string }
  | { kind: 'note'; text: string }
export type AtomKind = Atom['kind']

export const atomKinds = ['commit', 'files', 'tool', 'test-run', 'url', 'note'] as const satisfies AtomKind[]

const most = { characters: 16_384, atoms: 50, files: 200, url: 2000 }

/** Reads `commit:<sha>;files:a,b`, and names everything that is wrong with it. */
export const parseAtoms = (text: string): { atoms: Atom[]; problems: Problem[] } => {
  const atoms: Atom[] = []
  const problems: Problem[] = []
  const wrong = (path: string, message: string) => problems.push({ path: cut(path), message })
  if (text.length > most.characters) {
    wrong('evidence', `is limited to ${most.characters} characters`)
    return { atoms, problems }
  }
  const parts = partsOf(text)
  if (parts.length > most.atoms) wrong('evidence', `at most ${most.atoms} pieces`)
  for (const { kind, value, said } of parts.slice(0, most.atoms)) {
    const read = kind === undefined ? undefined : readers[kind]
    if (read) {
      const atom = read(value)
      if (typeof atom === 'string') wrong(said, atom)
      else if (!atoms.some((other) => JSON.stringify(other) === JSON.stringify(atom))) atoms.push(atom)
    } else wrong(said, unknown(said))
  }
  if (parts.length === 0) wrong('evidence', `is empty; it is made of ${atomKinds.join(', ')}`)
  return { atoms, problems }
}

interface Part {
  kind?: AtomKind
  value: string
  said: string
}

/** A note may have a `;` in it: what follows one and names no kind belongs to it. */
const partsOf = (text: string): Part[] => {
  const parts: Part[] = []
  for (const piece of text.split(';')) {
    const said = piece.trim()
    const colon = said.indexOf(':')
    const name = colon < 0 ? '' : said.slice(0, colon).trim().toLowerCase()
    const kind = atomKinds.find((known) => known === name)
    const last = parts.at(-1)
    if (kind) parts.push({ kind, value: said.slice(colon + 1).trim(), said })
    else if (last?.kind === 'note' && !/^[a-z-]+:/i.test(said)) last.value = `${last.value};${piece}`.trim()
    else if (said !== '') parts.push({ value: said, said })
  }
  return parts
}

const unknown = (said: string): string => {
  const colon = said.indexOf(':')
  const near = colon > 0 ? nearest(said.slice(0, colon), atomKinds) : undefined
  return `is no evidence; it starts with ${atomKinds.map((kind) => `${kind}:`).join(' ')}${near ? `, did you mean ${near}:?` : ''}`
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

// A placeholder out of a prompt is the likeliest mistake, and a plain word finds it.
const isPlaceholder = (value: string): boolean => value.startsWith('<') && value.endsWith('>')

/** The atom, or what is wrong with it. */
const readers: Record<AtomKind, (value: string) => Atom | string> = {
  commit: (ref) => {
    if (ref === '' || isPlaceholder(ref)) return 'names no commit; commit:HEAD is the newest one'
    return /^[A-Za-z0-9@][A-Za-z0-9._/@^~{}-]{0,199}$/.test(ref)
      ? { kind: 'commit', ref }
      : 'is no name of a commit'
  },
  files: (value) => {
    const paths = [...new Set(value.split(',').map((path) => path.trim()))].filter((path) => path !== '')
    if (paths.length === 0 || paths.some(isPlaceholder)) return 'names no file; files:src/a.ts,src/b.ts does'
    return paths.length > most.files ? `at most ${most.files} files` : { kind: 'files', paths }
  },
  tool: (name) => {
    const tool = toolNames.find((known) => known === name.toLowerCase())
    if (tool) return { kind: 'tool', tool }
    const near = nearest(name.toLowerCase(), toolNames)
    return `there is no such tool; ${near ? `did you mean tool:${near}?` : `tools: ${toolNames.join(', ')}`}`
  },
  'test-run': (path) =>
    path === '' || isPlaceholder(path) ? 'names no report file' : { kind: 'test-run', path },
  url: (url) => (isAddress(url) ? { kind: 'url', url } : 'is no address; it starts with https://'),
  note: (text) => (text === '' || isPlaceholder(text) ? 'says nothing' : { kind: 'note', text }),
}

const isAddress = (url: string): boolean => {
  if (url.length > most.url || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return protocol === 'https:' && hostname !== '' && username === '' && password === ''
}
