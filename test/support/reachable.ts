import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'

const root = join(import.meta.dirname, '..', '..')

/** Returns the text of a file of the repository. */
export const sourceOf = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Node {
  type: string
  [key: string]: unknown
}

/** A top-level declaration as `file#name`. `file#*` stands for everything in the file. */
type Declaration = string

/**
 * Returns the graph of all top-level declarations of `src`. An edge goes from a declaration to each declaration that
 * it uses, in the same file or in another one, also if that one is loaded with `import()`. A module that is passed on
 * as a whole counts as all of its declarations. So the graph can have a path that no call takes. The graph lacks only
 * calls through an interface (`context.runHooks`).
 */
export const declarationGraph = (): Map<Declaration, Set<Declaration>> => {
  const graph = new Map<Declaration, Set<Declaration>>()
  for (const path of globSync('src/**/*.ts', { cwd: root })) addFile(graph, path, sourceOf(path))
  return graph
}

/** Returns a shortest path from a declaration to one that `isTarget` accepts. */
export const pathTo = (
  graph: ReadonlyMap<Declaration, ReadonlySet<Declaration>>,
  from: Declaration,
  isTarget: (declaration: Declaration) => boolean,
): Declaration[] | undefined => {
  const before = new Map<Declaration, Declaration | undefined>([[from, undefined]])
  for (const at of before.keys()) {
    if (isTarget(at)) {
      const path: Declaration[] = []
      for (let each: Declaration | undefined = at; each; each = before.get(each)) path.unshift(each)
      return path
    }
    for (const next of graph.get(at) ?? []) if (!before.has(next)) before.set(next, at)
  }
  return undefined
}

const addFile = (graph: Map<Declaration, Set<Declaration>>, path: string, text: string): void => {
  const program = parseSync(path, text).program as unknown as { body: Node[] }
  const imported = new Map<string, Declaration>()
  const own = new Map<string, Node>()
  const whole = new Set<Declaration>()
  graph.set(`${path}#*`, whole)
  for (const node of program.body) {
    if (node.type === 'ImportDeclaration' && node['importKind'] !== 'type') {
      const file = fileOf(path, node['source'])
      if (file) for (const each of node['specifiers'] as Node[]) addImport(imported, file, each)
    }
    const declared = (
      node.type === 'ExportNamedDeclaration' && node['declaration'] ? node['declaration'] : node
    ) as Node
    const source = node.type.startsWith('Export') && fileOf(path, node['source'])
    if (source) whole.add(`${source}#*`)
    if (declared.type === 'FunctionDeclaration' || declared.type === 'ClassDeclaration')
      own.set((declared['id'] as Node)['name'] as string, declared)
    if (declared.type === 'VariableDeclaration')
      for (const each of declared['declarations'] as Node[])
        for (const name of namesOf(each['id'] as Node)) own.set(name, each)
    if (!['ImportDeclaration', 'ExportNamedDeclaration'].includes(node.type) && !own.has(nameOf(declared)))
      own.set(`(statement ${own.size})`, node)
  }
  for (const [name, node] of own) {
    const named = new Set<Declaration>()
    graph.set(`${path}#${name}`, named)
    whole.add(`${path}#${name}`)
    for (const each of referencesIn(node, path)) {
      if (each.file) named.add(`${each.file}#${each.name}`)
      else if (own.has(each.name) && each.name !== name) named.add(`${path}#${each.name}`)
      else if (imported.has(each.name)) {
        const target = imported.get(each.name)!
        named.add(target.endsWith('#*') && each.member ? target.replace(/\*$/, each.member) : target)
      }
    }
  }
}

const nameOf = (node: Node): string => String((node['id'] as Node | undefined)?.['name'])

const namesOf = (pattern: Node): string[] =>
  pattern.type === 'Identifier'
    ? [pattern['name'] as string]
    : pattern.type === 'ObjectPattern'
      ? (pattern['properties'] as Node[]).flatMap((each) =>
          namesOf((each['value'] ?? each['argument']) as Node),
        )
      : []

const addImport = (imported: Map<string, Declaration>, file: string, specifier: Node): void => {
  if (specifier['importKind'] === 'type') return
  const local = (specifier['local'] as Node)['name'] as string
  const name = (specifier['imported'] as Node | undefined)?.['name'] as string | undefined
  imported.set(local, `${file}#${name ?? '*'}`)
}

const fileOf = (from: string, source: unknown): string | undefined => {
  const value = (source as Node | null | undefined)?.['value']
  return typeof value === 'string' && value.startsWith('.') ? join(dirname(from), value) : undefined
}

interface Reference {
  /** The module, if `import()` loads it. */
  file?: string
  name: string
  /** The member, if the name is followed by one: `spawns.find`. */
  member?: string
}

function* referencesIn(node: Node, path: string): Generator<Reference> {
  if (node.type.startsWith('TS')) return
  const loaded = loadedBy(node, path)
  if (loaded) {
    for (const name of loaded.names) yield { file: loaded.file, name }
    return
  }
  if (node.type === 'Identifier') yield { name: node['name'] as string }
  if (node.type === 'MemberExpression' && node['computed'] !== true) {
    const [object, property] = [node['object'] as Node, node['property'] as Node]
    if (object.type === 'Identifier')
      yield { name: object['name'] as string, member: property['name'] as string }
    else yield* referencesIn(object, path)
    return
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === 'key' && node['computed'] !== true && node['shorthand'] !== true) continue
    for (const each of Array.isArray(value) ? value : [value])
      if (typeof each === 'object' && each !== null && 'type' in each) yield* referencesIn(each as Node, path)
  }
}

/**
 * Returns what `(await import('./a.ts')).name` or `const { name } = await import('./a.ts')` loads. For any other
 * import, returns the whole module.
 */
const loadedBy = (node: Node, path: string): { file: string; names: string[] } | undefined => {
  if (node.type === 'VariableDeclarator' && (node['id'] as Node).type === 'ObjectPattern') {
    const file = importedFile(node['init'] as Node | null, path)
    const keys = (node['id'] as { properties?: Node[] }).properties ?? []
    return file
      ? { file, names: keys.map((each) => ((each['key'] as Node)?.['name'] as string) ?? '*') }
      : undefined
  }
  if (node.type === 'MemberExpression') {
    const file = importedFile(node['object'] as Node, path)
    return file ? { file, names: [(node['property'] as Node)['name'] as string] } : undefined
  }
  const file = importedFile(node, path)
  return file ? { file, names: ['*'] } : undefined
}

const importedFile = (node: Node | null | undefined, path: string): string | undefined => {
  if (!node) return undefined
  if (node.type === 'AwaitExpression' || node.type === 'ParenthesizedExpression')
    return importedFile((node['argument'] ?? node['expression']) as Node, path)
  return node.type === 'ImportExpression' ? fileOf(path, node['source']) : undefined
}
