import { type Expression, parseSync } from 'oxc-parser'

/**
 * Moves long constant arrays out of the top level of a chunk. `keep` stores each array as a JSON file, whose name it
 * returns. The executable carries these files, and the chunk reads them when it is loaded.
 *
 * Otherwise the texts in the arrays would be part of the bytecode. The bytecode of all chunks shares one table of
 * texts, which Bun reads ahead at every start. With the tokenizer's vocabulary, this table was 5.3 MB instead of 1.9,
 * and each command took 1 % longer.
 */
export const moveTables = (code: string, keep: (json: string) => string): string => {
  let imports = ''
  let written = ''
  let copied = 0
  for (const statement of parseSync('chunk.js', code).program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { init } of statement.declarations) {
      if (init?.type !== 'ArrayExpression' || init.elements.length < long) continue
      const table = constant(init)
      if (!table) continue
      const path = `__table_${init.start}`
      imports += `import ${path} from './${keep(JSON.stringify(table.value))}' with { type: 'file' }\n`
      written += `${code.slice(copied, init.start)}JSON.parse(__readTable(${path}, 'utf8'))`
      copied = init.end
    }
  }
  if (copied === 0) return code
  return `import { readFileSync as __readTable } from 'node:fs'\n${imports}${written}${code.slice(copied)}`
}

const long = 1000

/**
 * Returns the value of an expression made of texts, numbers and arrays of them; undefined for any other expression.
 */
const constant = (node: Expression): { value: unknown } | undefined => {
  if (node.type === 'Literal')
    return typeof node.value === 'string' || typeof node.value === 'number'
      ? { value: node.value }
      : undefined
  // Bun writes texts with line breaks as templates.
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return { value: node.quasis[0]!.value.cooked }
  if (node.type !== 'ArrayExpression') return undefined
  const values: unknown[] = []
  for (const element of node.elements) {
    const found = element && element.type !== 'SpreadElement' ? constant(element) : undefined
    if (!found) return undefined
    values.push(found.value)
  }
  return { value: values }
}
