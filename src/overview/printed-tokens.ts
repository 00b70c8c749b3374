import { allCommands } from '../operation/commands.ts'
import { type ContextUsage, hash, rowSize } from './context-usage.ts'

export interface PrintedTokens {
  operation: string
  calls: number
  tokens: number
}

/** The most expensive operation comes first. */
export const printedTokens = ({ numbers }: ContextUsage): PrintedTokens[] => {
  const names = new Map(allCommands().map(({ operation }) => [hash(operation), operation]))
  const printed: PrintedTokens[] = []
  for (let row = rowSize; row < numbers.length; row += rowSize) {
    const operation = names.get(numbers[row]!)
    if (operation) printed.push({ operation, calls: numbers[row + 1]!, tokens: numbers[row + 2]! })
  }
  return printed.sort((a, b) => b.tokens - a.tokens || (a.operation < b.operation ? -1 : 1))
}
