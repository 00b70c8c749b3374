import { checkInput } from '../kernel/check-input.ts'
import type { Problem } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { databasePath } from '../store/open/choose-store.ts'
import { type RecordKind, recordKinds, tables } from '../store/tables.ts'
import { type Document, header, schemaOf } from './records.ts'
import { type TreePlaces, wrongReferences } from './wrong-references.ts'

/** Reads an export. If the text is not a valid export, returns all problems, sorted by line. */
export const readDocument = (
  text: string,
): { document: Document; places: TreePlaces } | { problems: Problem[] } => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const wrong = wrongHeader(lines[0]!)
  if (wrong) return { problems: [{ path: 'line 1', message: wrong }] }
  const document = Object.fromEntries(recordKinds.map((kind) => [kind, []])) as unknown as Document
  const problems: Problem[] = []
  const unread = new Set<unknown>()
  lines.forEach((content, i) => {
    if (i === 0 || content.trim() === '') return
    const value = parsed(content)
    const path = `line ${i + 1}`
    if (value === undefined) {
      const torn = i === lines.length - 1
      problems.push({ path, message: torn ? 'is cut off in the middle' : 'is not JSON' })
      return
    }
    const wrong = take(value, i + 1, document)
    if (wrong.length > 0) unread.add((value as { id?: unknown } | null)?.id)
    problems.push(...wrong)
  })
  const { places, problems: more } = wrongReferences(document, unread)
  const all = [...problems, ...more].sort(byLine)
  return all.length > 0 ? { problems: all } : { document, places }
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    // Drop the error message: each runtime words it differently.
    return undefined
  }
}

const wrongHeader = (line: string): string | undefined => {
  const { cleo, version } = (parsed(line) ?? {}) as { cleo?: unknown; version?: unknown }
  if (cleo !== header.cleo) return `is not the header of a CLEO export, ${JSON.stringify(header)}`
  if (version === header.version) return undefined
  return `has version ${JSON.stringify(version)}; this CLEO reads version ${header.version}`
}

/** Adds a valid record to the document. Returns what is wrong with an invalid one. */
const take = (value: unknown, line: number, document: Document): Problem[] => {
  const kind = typeof value === 'object' && value !== null && 'record' in value ? value.record : undefined
  if (!isKind(kind))
    return [{ path: `line ${line}`, message: `its record is not one of ${recordKinds.join(', ')}` }]
  const checked = checkInput(schemaOf(kind), value)
  if (checked.ok) document[kind].push({ ...(checked.value as object), line } as never)
  return checked.ok
    ? []
    : checked.problems.map(({ path, message }) => ({
        path: path ? `line ${line}, ${path}` : `line ${line}`,
        message,
      }))
}

const isKind = (word: unknown): word is RecordKind => typeof word === 'string' && Object.hasOwn(tables, word)

const byLine = (a: Problem, b: Problem): number => lineOf(a) - lineOf(b)
const lineOf = ({ path }: Problem): number => Number.parseInt(path.slice('line '.length), 10)

/** True if the path is the project's database. Reading that file would drop the locks SQLite holds on it. */
export const isDatabase = ({ host, folder }: Project, path: string): boolean => {
  const real = host.files.realPath(path)
  return ['', '-wal', '-shm'].some((suffix) => real === databasePath(folder) + suffix)
}
