import type * as v from 'valibot'
import { check } from '../kernel/problems.ts'
import type { Problem } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { databasePath } from '../store/choose-store.ts'
import { plainNames } from '../store/plain-tables.ts'
import { isPlain, type PlainRecord, plainSchema } from './plain-records.ts'
import { header, type Kind, type Of, records } from './records.ts'
import { type Places, wrongReferences } from './references.ts'

/** A record and the line it stands on. */
export type Line<T> = T & { line: number }

export type Document = { [K in Kind]: Line<Of<K>>[] } & { plain: Line<PlainRecord>[] }

/** Reads an export; everything that is wrong with it, by line, where it does not fit. */
export const readDocument = (
  text: string,
): { document: Document; places: Places } | { problems: Problem[] } => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const wrong = wrongHeader(lines[0]!)
  if (wrong) return { problems: [{ path: 'line 1', message: wrong }] }
  const document: Document = {
    counter: [],
    task: [],
    session: [],
    claim: [],
    focus: [],
    spawn: [],
    entry: [],
    audit: [],
    plain: [],
  }
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
    // What is wrong with it each runtime says in words of its own.
    return undefined
  }
}

const wrongHeader = (line: string): string | undefined => {
  const { cleo, version } = (parsed(line) ?? {}) as { cleo?: unknown; version?: unknown }
  if (cleo !== header.cleo) return `is not ${JSON.stringify(header)}, as in an export of CLEO`
  if (version === header.version) return undefined
  return `has version ${JSON.stringify(version)}; this CLEO reads version ${header.version}`
}

/** Puts a record among its kind, or says what is wrong with it. */
const take = (value: unknown, line: number, document: Document): Problem[] => {
  const word = typeof value === 'object' && value !== null && 'record' in value ? value.record : undefined
  const schema = typeof word === 'string' ? schemaOf(word) : undefined
  if (!schema) {
    const known = [...Object.keys(records), ...plainNames].join(', ')
    return [{ path: `line ${line}`, message: `its record is none of ${known}` }]
  }
  const checked = check(schema, value)
  const among = isPlain(word as string) ? document.plain : document[word as Kind]
  if (checked.ok) among.push({ ...(checked.value as object), line } as never)
  return checked.ok
    ? []
    : checked.problems.map(({ path, message }) => ({
        path: path ? `line ${line}, ${path}` : `line ${line}`,
        message,
      }))
}

const schemaOf = (word: string): v.GenericSchema | undefined =>
  isPlain(word) ? plainSchema(word) : Object.hasOwn(records, word) ? records[word as Kind] : undefined

const byLine = (a: Problem, b: Problem): number => lineOf(a) - lineOf(b)
const lineOf = ({ path }: Problem): number => Number.parseInt(path.slice('line '.length), 10)

/** Reading it as a file would drop the locks SQLite holds on it in this process. */
export const isDatabase = ({ host, folder }: Project, path: string): boolean => {
  const real = host.files.realPath(path)
  return ['', '-wal', '-shm'].some((suffix) => real === databasePath(folder) + suffix)
}
