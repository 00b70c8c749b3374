import { checkInput } from '../kernel/check-input.ts'
import type { Problem } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { type RecordKind, recordKinds, tables } from '../store/tables.ts'
import { type Document, header, jsonIn, schemaOf } from './records.ts'
import { checkReferences, type TreePlaces } from './wrong-references.ts'

export interface ReadOptions {
  /**
   * Whether to refuse a task whose lists are too long. False when a project moves to another database, because stored
   * tasks are never refused.
   */
  limited: boolean
}

export interface WrongDocument {
  problems: Problem[]
  more: number
  /** How many lines were read, if reading stopped before the end. */
  lines?: number
}

/** If the text is not a valid export, returns the problems, sorted by line. */
export const readDocument = (
  text: string,
  options: ReadOptions,
): { document: Document; places: TreePlaces } | WrongDocument => {
  const document = Object.fromEntries(recordKinds.map((kind) => [kind, []])) as unknown as Document
  const found = problemList()
  const unread = new Set<unknown>()
  let number = 0
  for (const { content, isLast } of linesOf(text)) {
    number++
    const path = `line ${number}`
    if (number === 1) {
      const wrong = wrongHeader(content)
      if (wrong) return { problems: [{ path, message: wrong }], more: 0 }
      continue
    }
    if (content.trim() === '') continue
    if (found.count() >= mostCounted) return { ...found.first(), lines: number - 1 }
    const value = jsonIn(content)
    if (value === undefined) {
      found.add({ path, message: isLast ? 'is cut off in the middle' : 'is not JSON' })
      continue
    }
    const before = found.count()
    take(value, number, document, options, found)
    if (found.count() > before) unread.add((value as { id?: unknown } | null)?.id)
  }
  const places = checkReferences(document, unread, found.add)
  return found.count() > 0 ? found.first() : { document, places }
}

/**
 * Reading stops after `mostCounted` problems. Only the first `mostKept` problems are listed, because a longer list
 * would not help.
 */
const mostCounted = 100_000
const mostKept = 1000

/** Returns a list that keeps the first problems and only counts the rest. */
const problemList = () => {
  const kept: Problem[] = []
  let more = 0
  return {
    count: () => kept.length + more,
    add: (problem: Problem): void => {
      if (kept.length < mostKept) kept.push(problem)
      else more++
    },
    addMore: (count: number): void => {
      more += count
    },
    first: () => ({ problems: kept.toSorted(byLine), more }),
  }
}
type ProblemList = ReturnType<typeof problemList>

function* linesOf(text: string): Iterable<{ content: string; isLast: boolean }> {
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start <= text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at
    yield { content: text.slice(start, text[end - 1] === '\r' ? end - 1 : end), isLast: at < 0 }
    start = end + 1
  }
}

/**
 * True if the text starts like an export of CLEO. Its lines are then checked as an export, not as a file of another
 * tool.
 */
export const isOwnExport = (text: string): boolean => {
  const [first] = linesOf(text)
  const { cleo } = (jsonIn(first?.content ?? '') ?? {}) as { cleo?: unknown }
  return cleo === header.cleo
}

const wrongHeader = (line: string): string | undefined => {
  const { cleo, version } = (jsonIn(line) ?? {}) as { cleo?: unknown; version?: unknown }
  if (cleo !== header.cleo) return `is not the header of a CLEO export, ${JSON.stringify(header)}`
  if (version === header.version) return undefined
  return `has version ${JSON.stringify(version)}; this CLEO reads version ${header.version}`
}

/** Adds a record to the document. If the record is invalid, adds its problems to the list instead. */
const take = (
  value: unknown,
  line: number,
  document: Document,
  { limited }: ReadOptions,
  found: ProblemList,
): void => {
  const at = `line ${line}`
  const kind = typeof value === 'object' && value !== null && 'record' in value ? value.record : undefined
  if (!isKind(kind))
    return found.add({ path: at, message: `its record is not one of ${recordKinds.join(', ')}` })
  const checked = checkInput(schemaOf(kind, limited), value)
  if (checked.ok) return void document[kind].push({ ...(checked.value as object), line } as never)
  for (const { path, message } of checked.problems) found.add({ path: path ? `${at}, ${path}` : at, message })
  found.addMore(checked.more)
}

const isKind = (word: unknown): word is RecordKind => typeof word === 'string' && Object.hasOwn(tables, word)

const byLine = (a: Problem, b: Problem): number => lineOf(a) - lineOf(b)
const lineOf = ({ path }: Problem): number => Number.parseInt(path.slice('line '.length), 10)

/**
 * True if the path is a file of the project's database. CLEO must not read such a file directly: when CLEO closed the
 * file after reading, the system would release the locks that SQLite holds on the file.
 */
export const isDatabase = ({ host, folder }: Project, path: string): boolean => {
  const real = host.files.realPath(path)
  return ['', '-wal', '-shm'].some((suffix) => real === databasePath(folder) + suffix)
}
