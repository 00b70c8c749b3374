import { reducedName } from '../../print/plain-path.ts'
import { scan, type Token } from './scan.ts'
import {
  commandKey,
  type IncludedFile,
  type LoadedNeeds,
  limits,
  type Output,
  type Reference,
  type Source,
} from './source.ts'

export interface TokenValue {
  text: string
  /** True if CLEO did not write this text. Such a text goes into a fence. */
  foreign?: boolean
  from?: string
}

export interface UnresolvedToken {
  /** An unresolved `file` only causes a warning. An unresolved token of any other kind makes the text incomplete. */
  kind: 'name' | 'file' | 'command' | 'include'
  token: string
  where: string
  why: string
}

export interface FilledText {
  text: string
  resolved: number
  unresolved: UnresolvedToken[]
  files: { path: string; sha256: string }[]
}

type Values = (name: string) => TokenValue | undefined
type Fence = (text: string, from: string) => string

/**
 * Replaces the tokens of a source in one pass. A token can include another template. If that template is in the
 * source's own folder, the tokens of the template are replaced too. Tokens in other inserted texts stay as they are.
 */
export const fill = (source: Source, loaded: LoadedNeeds, value: Values, fence: Fence): FilledText => {
  const filling: Filling = {
    ...{ source, loaded, value, fence },
    ...{ resolved: 0, room: limits.allBytes, pieces: 0, unresolved: new Map(), files: new Map() },
  }
  const text = fillText(filling, source.text, loaded.tokens ?? scan(source.text), [source.where])
  return {
    text,
    resolved: filling.resolved,
    unresolved: [...filling.unresolved.values()],
    files: Array.from(filling.files, ([path, sha256]) => ({ path, sha256 })),
  }
}

interface Filling {
  source: Source
  loaded: LoadedNeeds
  value: Values
  fence: Fence
  resolved: number
  /** How many characters the remaining tokens may add. */
  room: number
  pieces: number
  unresolved: Map<string, UnresolvedToken>
  files: Map<string, string>
}

/** `trail` is the chain of includes, from the source to the template that contains `text`. */
const fillText = (
  filling: Filling,
  text: string,
  tokens: readonly Token[],
  trail: readonly string[],
): string => {
  const parts: string[] = []
  let done = 0
  for (const token of tokens) {
    const raw = text.slice(token.start, token.end)
    const put = putFor(filling, token, raw, trail)
    parts.push(text.slice(done, token.start), put === undefined ? raw : token.cell ? inCell(put) : put)
    done = token.end
  }
  parts.push(text.slice(done))
  return parts.join('')
}

type Miss = (kind: UnresolvedToken['kind'], why: string) => undefined

/** Returns undefined if the token stays as it is. */
const putFor = (
  filling: Filling,
  token: Token,
  raw: string,
  trail: readonly string[],
): string | undefined => {
  const { source, loaded, value } = filling
  const where = trail.at(-1)!
  let missed = false
  const miss: Miss = (kind, why) => {
    missed = true
    filling.unresolved.set(`${where}\n${raw}\n${why}`, { kind, token: raw.slice(0, 200), where, why })
  }
  if (token.kind === 'escape')
    return source.kind === 'template' || (token.name && value(token.name)) ? token.literal : undefined
  if (source.kind === 'skill' && token.kind !== 'name') return undefined
  const put =
    token.kind === 'name'
      ? putName(filling, token.name, miss)
      : token.kind === 'command'
        ? putOutput(filling, token.words, loaded.commands.get(commandKey(token.words)), miss)
        : putReference(filling, loaded.references.get(raw.slice(1)), trail, miss)
  if (put !== undefined && !missed) filling.resolved++
  return put
}

const putName = (filling: Filling, name: string, miss: Miss): string | undefined => {
  const known = filling.value(name)
  if (!known) return filling.source.kind === 'template' ? miss('name', 'this name has no value') : undefined
  const text = known.foreign ? filling.fence(known.text, known.from ?? name) : known.text
  return takeIfRoom(filling, text) ?? miss('name', tooMuch)
}

const putOutput = (
  filling: Filling,
  words: readonly string[],
  output: Output | undefined,
  miss: Miss,
): string | undefined => {
  if (!output?.ok) return miss('command', output?.why ?? notLoaded)
  return takeIfRoom(filling, filling.fence(output.text, words.join(' '))) ?? miss('command', tooMuch)
}

const putReference = (
  filling: Filling,
  reference: Reference | undefined,
  trail: readonly string[],
  miss: Miss,
): string | undefined => {
  if (!reference) return miss('file', notLoaded)
  const parts = reference.pieces.map((piece) => putPiece(filling, piece, trail, miss))
  for (const { path, why } of reference.left) {
    miss('file', `${path} ${why}`)
    parts.push(`[${reducedName(path, true)} is left out: it ${why}]`)
  }
  return parts.join('\n')
}

const putPiece = (filling: Filling, piece: IncludedFile, trail: readonly string[], miss: Miss): string => {
  const { path, text, template } = piece
  const leaveOut = (kind: UnresolvedToken['kind'], why: string): string => {
    miss(kind, why)
    return `[${reducedName(path, true)} is left out: ${reducedReason(why, path)}]`
  }
  if (++filling.pieces > limits.files) return leaveOut('file', `more than ${limits.files} files`)
  if (template && trail.includes(path))
    return leaveOut(
      'include',
      `it includes itself: ${[...trail, path].slice(trail.indexOf(path)).join(' → ')}`,
    )
  if (template && trail.length > limits.depth)
    return leaveOut('include', `templates include each other more than ${limits.depth} deep`)
  const put = takeIfRoom(filling, template ? text : filling.fence(text, path))
  if (put === undefined) return leaveOut('file', tooMuch)
  filling.files.set(path, piece.sha256)
  if (!template) return put
  const own = withoutLastBreak(text)
  return fillText(filling, own, scan(own), [...trail, path])
}

const takeIfRoom = (filling: Filling, text: string): string | undefined => {
  if (text.length > filling.room) return undefined
  filling.room -= text.length
  return text
}

/** A reason can contain the file's path, as in a chain of includes. Replaces unusual characters of that path by `_`. */
const reducedReason = (why: string, path: string): string => why.replaceAll(path, reducedName(path, true))

const withoutLastBreak = (text: string): string => (text.endsWith('\n') ? text.slice(0, -1) : text)

const tooMuch = `the text would exceed ${limits.allBytes / 1024} KiB`
const notLoaded = 'it was not loaded'

/** Escapes text for a table cell: joins its lines into one, and escapes each `|`, which would end the cell. */
const inCell = (text: string): string =>
  text
    .split('|')
    .map((part, i, parts) => (i < parts.length - 1 ? part + endingBackslashes(part) : part))
    .join('\\|')
    .replaceAll('\r\n', ' ')
    .replaceAll('\n', ' ')

/**
 * Returns the backslashes at the end of a text that stands before a `|`. The caller has to double them, because
 * they would cancel the escape of the `|`.
 */
const endingBackslashes = (part: string): string => {
  let start = part.length
  while (part[start - 1] === '\\') start--
  return part.slice(start)
}
