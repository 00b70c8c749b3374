import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A file of the repository, such as `src/tasks/ops/add.ts`, with its text. */
export interface RepositoryFile {
  path: string
  text: string
}

export interface Repository {
  /** The rooms in the order of `src/rooms.json`: a room may import only from rooms before it. */
  rooms: readonly string[]
  sources: readonly Source[]
  /** Paths of all test files. */
  tests: readonly string[]
}

interface Source {
  path: string
  /** Number of lines. */
  lines: number
  /** Files and packages that the file imports in any way; `undefined` for a path that is known only at run time. */
  imports: readonly (string | undefined)[]
  strings: readonly string[]
  /** Global names that the file uses, and members of them: `process`, `Date.now`, `new Date`. */
  globals: ReadonlySet<string>
  /** Names of the operations that the file defines. */
  operations: readonly string[]
}

export const readRepository = (rooms: readonly string[], files: readonly RepositoryFile[]): Repository => ({
  rooms,
  sources: files.filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts')).map(parse),
  tests: files.map(({ path }) => path).filter((path) => path.startsWith('test/')),
})

interface Node {
  type: string
  [key: string]: unknown
}

const parse = ({ path, text }: RepositoryFile): Source => {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`)
  const imports: (string | undefined)[] = []
  const strings: string[] = []
  const globals = new Set<string>()
  const operations: string[] = []
  for (const node of nodesIn(program as unknown as Node)) {
    const source = importedBy(node)
    if (source) imports.push(targetOf(path, source))
    if (node.type === 'Literal' && typeof node['value'] === 'string') strings.push(node['value'])
    if (node.type === 'TemplateElement') strings.push(String((node['value'] as { cooked?: string }).cooked))
    const global = globalOf(node)
    if (global) globals.add(global)
    if (isCallOf(node, 'operation')) operations.push(...namesIn(node))
  }
  return { path, lines: text.split('\n').length - 1, imports, strings, globals, operations }
}

/** Yields a node and all nodes below it, except the names of object keys and members, which are not references. */
function* nodesIn(node: Node): Generator<Node> {
  yield node
  const named = node['computed'] === true ? undefined : namePart[node.type]
  for (const [key, value] of Object.entries(node)) {
    if (key === named && !(node['shorthand'] === true)) continue
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each === 'object' && each !== null && 'type' in each) yield* nodesIn(each as Node)
  }
}

const namePart: Record<string, string> = {
  MemberExpression: 'property',
  Property: 'key',
  PropertyDefinition: 'key',
  MethodDefinition: 'key',
  TSPropertySignature: 'key',
  TSMethodSignature: 'key',
}

/** Returns the specifier of any import: static, dynamic, of a type, a re-export, or `typeof import()`. */
const importedBy = (node: Node): Node | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return (node['source'] ?? node['argument'] ?? undefined) as Node | undefined
    case 'CallExpression': {
      const [first] = isCallOf(node, 'require') ? (node['arguments'] as Node[]) : []
      // Only `require` with a constant text counts as an import, because another function can have the name
      // `require`.
      return first && constantOf(first) !== undefined ? first : undefined
    }
    default:
      return undefined
  }
}

const targetOf = (path: string, source: Node): string | undefined => {
  const specifier = constantOf(source)
  return specifier?.startsWith('.') ? join(dirname(path), specifier) : specifier
}

const constantOf = (node: Node): string | undefined => {
  if (node.type === 'TSLiteralType') return constantOf(node['literal'] as Node)
  if (node.type === 'Literal') return String(node['value'])
  const parts = node.type === 'TemplateLiteral' ? (node['quasis'] as Node[]) : []
  return parts.length === 1 ? (parts[0]!['value'] as { cooked: string }).cooked : undefined
}

const globalOf = (node: Node): string | undefined => {
  if (node.type === 'Identifier') return String(node['name'])
  if (node.type === 'NewExpression' && (node['arguments'] as Node[]).length === 0)
    return `new ${(node['callee'] as Node)['name']}`
  if (node.type !== 'MemberExpression' || node['computed'] === true) return undefined
  const [object, property] = [node['object'] as Node, node['property'] as Node]
  if (object.type !== 'Identifier') return undefined
  return object['name'] === 'globalThis' ? String(property['name']) : `${object['name']}.${property['name']}`
}

const isCallOf = (node: Node, name: string): boolean =>
  node.type === 'CallExpression' && (node['callee'] as Node)['name'] === name

/** Returns the `name` in the definition of an operation. */
const namesIn = (call: Node): string[] =>
  (call['arguments'] as Node[]).flatMap(({ properties }) =>
    ((properties ?? []) as Node[]).flatMap((property) => {
      const isName = (property['key'] as Node | undefined)?.['name'] === 'name'
      const name = isName ? constantOf(property['value'] as Node) : undefined
      return name === undefined ? [] : [name]
    }),
  )

const roomOf = (path: string): string => (path.split('/').length > 2 ? path.split('/')[1]! : '')
const isGenerated = (path: string): boolean => path.includes('/generated/')
const isOperationFile = (path: string): boolean => path.includes('/ops/')
const holdsSql = (path: string): boolean => roomOf(path) === 'store' || /\/sql(\.ts$|\/)/.test(path)

/** Returns a sentence for each forbidden import of the sources. */
const forbiddenImports = (
  sources: readonly Source[],
  isForbidden: (target: string, path: string) => boolean,
): string[] =>
  sources.flatMap(({ path, imports }) =>
    imports.flatMap((target) =>
      target !== undefined && isForbidden(target, path) ? [`${path} imports ${target}`] : [],
    ),
  )

const usesOf = (sources: readonly Source[], names: readonly string[]): string[] =>
  sources.flatMap(({ path, globals }) =>
    names.filter((name) => globals.has(name)).map((name) => `${path} uses ${name}`),
  )

const isBuiltin = (target: string, modules: readonly string[]): boolean =>
  modules.includes(target.replace(/^node:/, '').replace(/\/promises$/, ''))

const pureRooms = ['print', 'refusals', 'kernel', 'markdown', 'graph', 'test-reports', 'prompt', 'schedule']
const clockAndChance = [
  'Date.now',
  'new Date',
  'Math.random',
  'setTimeout',
  'setInterval',
  'performance',
  'crypto',
]
const sql =
  /\b(SELECT\s.+\sFROM|SELECT (count|max|min|sum|1|EXISTS)\b|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM|CREATE (UNIQUE )?(TABLE|INDEX|VIEW|TRIGGER)|ALTER TABLE|DROP (TABLE|INDEX)|PRAGMA \w|BEGIN IMMEDIATE|VACUUM INTO)/s

export type Check = (repository: Repository) => string[]

/** Each check returns the violations it finds, one sentence each. */
export const checks = {
  'every folder of src is a room, and every room is a folder': ({ rooms, sources }) => {
    const folders = new Set(sources.map(({ path }) => roomOf(path)).filter((room) => room !== ''))
    return [
      ...[...folders].filter((room) => !rooms.includes(room)).map((room) => `${room} is not a room`),
      ...rooms.filter((room) => !folders.has(room)).map((room) => `${room} has no folder`),
    ]
  },

  'imports go down the order of rooms': ({ rooms, sources }) => {
    const height = (path: string): number =>
      roomOf(path) === '' ? rooms.length : rooms.indexOf(roomOf(path))
    return forbiddenImports(
      sources,
      (target, path) => target.startsWith('src/') && height(target) > height(path),
    )
  },

  'no ring of rooms': ({ sources }) => rings(sources, roomOf),

  'no ring of folders': ({ sources }) =>
    // Generated tables count as part of the folder above them.
    rings(sources, (path) => dirname(path).replace(/\/generated(\/.*)?$/, '')),

  'no ring of files': ({ sources }) => rings(sources, (path) => path),

  'every import names its file': ({ sources }) =>
    sources.flatMap(({ path, imports }) =>
      imports.includes(undefined) ? [`${path} imports a computed path`] : [],
    ),

  'an operation imports no operation': ({ sources }) =>
    forbiddenImports(
      sources.filter(({ path }) => isOperationFile(path)),
      isOperationFile,
    ),

  'only generated code imports from ops/': ({ sources }) =>
    forbiddenImports(
      sources.filter(({ path }) => !isGenerated(path) && !isOperationFile(path)),
      isOperationFile,
    ),

  'fs, child_process, os and net are used only in host': ({ sources }) =>
    forbiddenImports(
      sources.filter(({ path }) => roomOf(path) !== 'host'),
      (target) => isBuiltin(target, ['fs', 'child_process', 'os', 'net']),
    ),

  'node:sqlite is used only in store/sqlite': ({ sources }) =>
    forbiddenImports(
      sources.filter(({ path }) => !path.startsWith('src/store/sqlite/')),
      (target) => isBuiltin(target, ['sqlite', 'bun:sqlite']),
    ),

  'process is used only in main.ts and host': ({ sources }) => {
    const others = sources.filter(({ path }) => path !== 'src/main.ts' && roomOf(path) !== 'host')
    return [
      ...usesOf(others, ['process']),
      ...forbiddenImports(others, (target) => isBuiltin(target, ['process'])),
    ]
  },

  'SQL is only in store and sql files': ({ sources }) =>
    sources
      .filter(({ path }) => !holdsSql(path) && !isGenerated(path))
      .flatMap(({ path, strings }) =>
        strings.filter((text) => sql.test(text)).map((text) => `${path} holds "${text.trim().slice(0, 40)}"`),
      ),

  'the store names no operation': ({ sources }) => {
    const names = new Set(sources.flatMap(({ operations }) => operations))
    return sources
      .filter(({ path }) => roomOf(path) === 'store')
      .flatMap(({ path, strings }) =>
        strings.filter((text) => names.has(text)).map((text) => `${path} names ${text}`),
      )
  },

  'pure rooms use no clock, no randomness and no Node module but path': ({ sources }) => {
    const pure = sources.filter(({ path }) => pureRooms.includes(roomOf(path)))
    return [
      ...usesOf(pure, clockAndChance),
      ...forbiddenImports(pure, (target) => target.startsWith('node:') && target !== 'node:path'),
    ]
  },

  'no file is longer than 300 lines': ({ sources }) =>
    sources
      .filter(({ path, lines }) => lines > 300 && !isGenerated(path))
      .map(({ path, lines }) => `${path} has ${lines} lines`),

  'every operation has a test file of its name': ({ sources, tests }) =>
    sources
      .filter(({ operations }) => operations.length > 0)
      .map(({ path }) => path.replace(/^src\/(.+)\/ops\/(.+)\.ts$/, 'test/$1/$2.test.ts'))
      .filter((test) => !tests.includes(test))
      .map((test) => `${test} is missing`),
} as const satisfies Record<string, Check>

/**
 * Returns the groups of rooms, folders or files that import each other in a circle, directly or indirectly
 * (Tarjan's algorithm). `groupOf` says to which room, folder or file a path belongs.
 */
const rings = (sources: readonly Source[], groupOf: (path: string) => string): string[] => {
  const edges = new Map<string, Set<string>>()
  for (const { path, imports } of sources) {
    const from = groupOf(path)
    const targets = edges.get(from) ?? new Set()
    edges.set(from, targets)
    for (const target of imports)
      if (target?.startsWith('src/') && groupOf(target) !== from) targets.add(groupOf(target))
  }
  const found: string[] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    order.set(node, order.size)
    lowest.set(node, order.get(node)!)
    stack.push(node)
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node)!, lowest.get(next)!))
    }
    if (lowest.get(node) !== order.get(node)) return
    const ring = stack.splice(stack.indexOf(node))
    if (ring.length > 1) found.push(ring.sort().join(' · '))
  }
  for (const node of edges.keys()) if (!order.has(node)) visit(node)
  return found
}
