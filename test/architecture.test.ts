import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allOperations } from '../scripts/operations.ts'
import { codeOf } from './support/code-of.ts'

const src = join(import.meta.dirname, '..', 'src')

interface Source {
  file: string
  text: string
  /** The same without comments, strings and patterns. */
  code: string
}

const sources: Source[] = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => {
    const text = readFileSync(join(src, file), 'utf8')
    return { file, text, code: codeOf(text) }
  })
const inFolder = (...folders: string[]) =>
  sources.filter(({ file }) => folders.some((folder) => file.startsWith(`${folder}/`)))
const written = sources.filter(({ file }) => !file.includes('generated/'))

/** From the bottom to the top: a file imports from its own room and from those below, never from above. */
const rooms = (JSON.parse(readFileSync(join(src, 'rooms.json'), 'utf8')) as [string, string][]).map(
  ([name]) => name,
)
const layers = [...rooms, 'entry']
const layerOf = (file: string): number => layers.indexOf(file.includes('/') ? file.split('/')[0]! : 'entry')

const importsOf = ({ file, text }: Source): string[] =>
  [...text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'(\.[^']+)'/g)].map(([, path]) =>
    relative(src, join(src, dirname(file), path!)),
  )

/** Where in the sources a pattern stands: an empty list is what we want, and a full one says where to look. */
const found = (where: readonly Source[], pattern: RegExp, part: 'code' | 'text' = 'code'): string[] =>
  where.flatMap((source) =>
    source[part].split('\n').flatMap((line, i) => (pattern.test(line) ? [`${source.file}:${i + 1}`] : [])),
  )

describe('the sources keep the architecture', () => {
  test('every folder is a layer', () => {
    expect(sources.filter(({ file }) => layerOf(file) < 0).map(({ file }) => file)).toEqual([])
  })

  test('imports go down, type imports too', () => {
    const up = sources.flatMap((source) =>
      importsOf(source)
        .filter((target) => layerOf(target) > layerOf(source.file))
        .map((target) => `${source.file} imports ${target}`),
    )
    expect(up).toEqual([])
    expect(sources.flatMap(importsOf).length).toBeGreaterThan(200)
  })

  test('model and graph know neither time nor chance nor the world', () => {
    const world =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(Timeout|Interval)\b|\bprocess\b|\bcrypto\b/
    expect(found(inFolder('kernel', 'markdown', 'graph', 'prompt'), world)).toEqual([])
    expect(found(inFolder('kernel', 'markdown', 'graph', 'prompt'), /from 'node:(?!path')/, 'text')).toEqual(
      [],
    )
  })

  test('the process is touched by main and host alone', () => {
    const others = sources.filter(({ file }) => file !== 'main.ts' && !file.startsWith('host/'))
    expect(found(others, /(?<![.\w])process\b/)).toEqual([])
  })

  test('SQL stands in the store alone', () => {
    const others = written.filter(({ file }) => !file.startsWith('store/') && !/\/sql(\.ts|\/)/.test(file))
    const sql =
      /\b(SELECT |INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE (TABLE|INDEX)|PRAGMA |BEGIN IMMEDIATE|VACUUM)\b/
    expect(found(others, sql, 'text')).toEqual([])
    expect(found(others, /node:sqlite/, 'text')).toEqual([])
  })

  test('no file is longer than 300 lines', () => {
    const long = written.filter(({ text }) => text.split('\n').length > 301)
    expect(long.map(({ file, text }) => `${file}: ${text.split('\n').length}`)).toEqual([])
  })

  test('[OPS-1] an operation is where its name says, and no two share a name or a command', async () => {
    const operations = await allOperations()
    expect(operations.length).toBeGreaterThan(25)
    for (const one of ['name', 'command'] as const) {
      const all = operations.map(({ operation }) => (one === 'name' ? operation.name : operation.cli.command))
      expect(all.filter((each, i) => all.indexOf(each) !== i)).toEqual([])
    }
  })
})

describe('reading code', () => {
  test('comments, strings and patterns are blank, what stands between them is not', () => {
    const code = codeOf(
      [
        "const a = 'process' // process",
        'const b = `process ${process} ${`inner ${c}`} process`',
        'const d = /[\'"/[\\]/]process/.test(e) /* process',
        'process */ && f / g / h',
      ].join('\n'),
    )
    expect(code.match(/\w+/g)).toEqual([
      'const',
      'a',
      'const',
      'b',
      'process',
      'c',
      'const',
      'd',
      'test',
      'e',
      'f',
      'g',
      'h',
    ])
    expect(code.split('\n')).toHaveLength(4)
  })
})
