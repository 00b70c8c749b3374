/** The part of JSON Schema that the outputs of operations use. */
export interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  additionalProperties?: Schema | boolean
  $ref?: string
  description?: string
}

/** Returns a schema as a TypeScript type, with descriptions as comments. Named shapes appear by their name. */
export const shapeText = (
  schema: Schema,
  names: ReadonlyMap<string, string> = new Map(),
  indent = '',
): string => {
  const inner = (part: Schema, deeper = indent) => shapeText(part, names, deeper)
  const { description: _, ...plain } = schema
  const name = names.get(JSON.stringify(plain))
  if (name) return name
  if (schema.$ref) return '…the same again'
  if (schema.anyOf) return schema.anyOf.map((part) => inner(part)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (schema.type === 'array') return listOf(inner(schema.items ?? {}))
  if (schema.type !== 'object') return schema.type ?? 'unknown'
  if (!schema.properties) {
    const values = schema.additionalProperties
    return `Record<string, ${typeof values === 'object' ? inner(values) : 'unknown'}>`
  }
  const deeper = `${indent}  `
  const lines = Object.entries(schema.properties).flatMap(([key, part]) => [
    ...(part.description ? [`${deeper}/** ${part.description} */`] : []),
    `${deeper}${key}${schema.required?.includes(key) ? '' : '?'}: ${inner(part, deeper)}`,
  ])
  return `{\n${lines.join('\n')}\n${indent}}`
}

const listOf = (item: string): string =>
  /^[\w.]+$/.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`
