import { type Expression, parseSync } from 'oxc-parser'

/**
 * Turns long constant arrays that a chunk declares at its top level into calls of `JSON.parse`. The bytecode of all
 * chunks shares one table of texts, which every command loads. With the arrays, the table would have the 200,000 texts
 * in the tokenizer's vocabulary. With the calls, each array counts as one text.
 */
export const writeTablesAsText = (code: string): string => {
  let written = ''
  let copied = 0
  for (const statement of parseSync('chunk.js', code).program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { init } of statement.declarations) {
      if (init?.type !== 'ArrayExpression' || init.elements.length < long) continue
      const table = constant(init)
      if (!table) continue
      written += `${code.slice(copied, init.start)}JSON.parse(${JSON.stringify(JSON.stringify(table.value))})`
      copied = init.end
    }
  }
  return written + code.slice(copied)
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
