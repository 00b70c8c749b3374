import { limits } from '../kernel/task.ts'
import { readBlocks } from '../markdown/blocks.ts'

/** The criteria written into a description as `- [ ]` or `- [x]` lines; those in a code fence do not count. */
export const criteriaIn = (description: string): string[] => {
  if (!description.includes('[')) return []
  const { fences } = readBlocks(description)
  const found = description.matchAll(/^[^\S\n]*[-*+] \[[ xX]\][^\S\n]+([^\n]*\S)/gm)
  const texts = [...found].flatMap(({ index, 1: text }) =>
    fences.some(({ start, end }) => start <= index && index < end) ? [] : [text!.slice(0, limits.criterion)],
  )
  return [...new Set(texts)]
}
