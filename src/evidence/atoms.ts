import { type Tool, toolNames } from '../kernel/config-words.ts'
import { nearest } from '../kernel/nearest.ts'
import type { Problem } from '../kernel/result.ts'

/** One piece of evidence, as the caller wrote it. */
export type Atom =
  | { kind: 'commit'; ref: string }
  | { kind: 'files'; paths: string[] }
  | { kind: 'tool'; tool: Tool }
  | { kind: 'test-run'; path: string }
  | { kind: 'url'; url: string }
  | { kind: 'note'; text: string }
export type AtomKind = Atom['kind']

export const atomKinds = ['commit', 'files', 'tool', 'test-run', 'url', 'note'] as const satisfies AtomKind[]

export const atomLimits = { characters: 16_384, atoms: 50, files: 200, url: 2000 }

/** Parses evidence such as `commit:<sha>;files:a,b`. */
export const parseAtoms = (text: string): { atoms: Atom[]; problems: Problem[] } => {
  const atoms: Atom[] = []
  const problems: Problem[] = []
  const wrong = (path: string, message: string) => problems.push({ path: shorten(path), message })
  if (text.length > atomLimits.characters) {
    wrong('evidence', `is limited to ${atomLimits.characters} characters`)
    return { atoms, problems }
  }
  const parts = splitAtoms(text)
  if (parts.length > atomLimits.atoms) wrong('evidence', `is limited to ${atomLimits.atoms} pieces`)
  for (const { kind, value, given } of parts.slice(0, atomLimits.atoms)) {
    const read = kind === undefined ? undefined : readers[kind]
    if (read) {
      const atom = read(value)
      if (typeof atom === 'string') wrong(given, atom)
      else if (!atoms.some((other) => JSON.stringify(other) === JSON.stringify(atom))) atoms.push(atom)
    } else wrong(given, unknown(given))
  }
  if (parts.length === 0) wrong('evidence', `is empty; use ${atomKinds.join(', ')}`)
  return { atoms, problems }
}

/** Whether CLEO must run a command of the project to check this evidence. */
export const namesTool = (text = ''): boolean => parseAtoms(text).atoms.some(({ kind }) => kind === 'tool')

interface AtomText {
  kind?: AtomKind
  value: string
  given: string
}

/**
 * Splits evidence into its atoms at each `;`. A note can contain `;` too, so a part after a note begins a new atom
 * only if it starts with a word and a colon.
 */
const splitAtoms = (text: string): AtomText[] => {
  const parts: AtomText[] = []
  for (const piece of text.split(';')) {
    const given = piece.trim()
    const colon = given.indexOf(':')
    const name = colon < 0 ? '' : given.slice(0, colon).trim().toLowerCase()
    const kind = atomKinds.find((known) => known === name)
    const last = parts.at(-1)
    if (kind) parts.push({ kind, value: given.slice(colon + 1).trim(), given })
    else if (last?.kind === 'note' && !/^[a-z-]+:/i.test(given)) last.value = `${last.value};${piece}`.trim()
    else if (given !== '') parts.push({ value: given, given })
  }
  return parts
}

const unknown = (given: string): string => {
  const colon = given.indexOf(':')
  const near = colon > 0 ? nearest(given.slice(0, colon), atomKinds) : undefined
  return `is not evidence; start with ${atomKinds.map((kind) => `${kind}:`).join(' ')}${near ? `, did you mean ${near}:?` : ''}`
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

// Agents often copy a placeholder such as `<sha>` from a prompt.
const isPlaceholder = (value: string): boolean => value.startsWith('<') && value.endsWith('>')

/** Each function returns the atom, or a text that says what is wrong with the value. */
const readers: Record<AtomKind, (value: string) => Atom | string> = {
  commit: (ref) => {
    if (ref === '' || isPlaceholder(ref)) return 'names no commit; use commit:HEAD for the newest one'
    return /^[A-Za-z0-9@][A-Za-z0-9._/@^~{}-]{0,199}$/.test(ref)
      ? { kind: 'commit', ref }
      : 'is not a valid commit name'
  },
  files: (value) => {
    const paths = [...new Set(value.split(',').map((path) => path.trim()))].filter((path) => path !== '')
    if (paths.length === 0 || paths.some(isPlaceholder)) return 'names no file; use files:src/a.ts,src/b.ts'
    return paths.length > atomLimits.files ? `names over ${atomLimits.files} files` : { kind: 'files', paths }
  },
  tool: (name) => {
    const tool = toolNames.find((known) => known === name.toLowerCase())
    if (tool) return { kind: 'tool', tool }
    const near = nearest(name.toLowerCase(), toolNames)
    return `is not a tool; ${near ? `did you mean tool:${near}?` : `tools: ${toolNames.join(', ')}`}`
  },
  'test-run': (path) =>
    path === '' || isPlaceholder(path) ? 'names no report file' : { kind: 'test-run', path },
  url: (url) => (isAddress(url) ? { kind: 'url', url } : 'is not an address that starts with https://'),
  note: (text) => (text === '' || isPlaceholder(text) ? 'is empty' : { kind: 'note', text }),
}

const isAddress = (url: string): boolean => {
  if (url.length > atomLimits.url || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  return protocol === 'https:' && hostname !== '' && username === '' && password === ''
}
