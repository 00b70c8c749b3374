import { type Expression, type ObjectExpression, parseSync } from 'oxc-parser'
import type { CliDocumentation, Documentation } from '../src/operation/operation.ts'

const ofOperation = ['tier', 'summary', 'output', 'errors', 'tool'] satisfies (keyof Documentation)[]
const ofCli = ['also', 'suggestedFor', 'examples', 'sample'] satisfies (keyof CliDocumentation)[]

/**
 * Some fields of an operation are read only by `npm run generate`, such as the summary and the schema of the output.
 * Removes these fields from the code of a chunk, because commands read the texts from the generated tables. Without
 * the removal, everyday commands would make these texts, lists and functions each time they start.
 */
export const dropDocumentation = (code: string): string => {
  const dropped: { start: number; end: number }[] = []
  const dropFrom = ({ properties }: ObjectExpression, names: readonly string[]): void => {
    for (const [i, property] of properties.entries())
      if (names.includes(nameOf(property)))
        // Also drop the comma and the white space before the next property.
        dropped.push({ start: property.start, end: properties[i + 1]?.start ?? property.end })
  }
  for (const statement of parseSync('chunk.js', code).program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { init } of statement.declarations) {
      const definition = definitionIn(init)
      if (!definition) continue
      dropFrom(definition, ofOperation)
      for (const property of definition.properties)
        if (
          property.type === 'Property' &&
          nameOf(property) === 'cli' &&
          property.value.type === 'ObjectExpression'
        )
          dropFrom(property.value, ofCli)
    }
  }
  let kept = ''
  let copied = 0
  for (const { start, end } of dropped.sort((a, b) => a.start - b.start)) {
    kept += code.slice(copied, start)
    copied = end
  }
  return kept + code.slice(copied)
}

/**
 * Returns the object in `operation({ … })`. If several chunks use the name `operation`, Bun adds a number to it, as
 * in `operation2`.
 */
const definitionIn = (init: Expression | null): ObjectExpression | undefined => {
  if (init?.type !== 'CallExpression' || init.callee.type !== 'Identifier') return undefined
  if (!/^operation\d*$/.test(init.callee.name)) return undefined
  const [definition] = init.arguments
  return definition?.type === 'ObjectExpression' ? definition : undefined
}

const nameOf = (property: ObjectExpression['properties'][number]): string =>
  property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : ''
