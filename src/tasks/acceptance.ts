import { limits } from '../kernel/task.ts'

/** The criteria written into a description as `- [ ]` or `- [x]` lines; what stands in a code fence is not one. */
export const criteriaIn = (description: string): string[] => {
  if (!description.includes('[')) return []
  const found: string[] = []
  let fence: string | undefined
  for (const line of description.split('\n')) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (mark && !fence) fence = mark
    else if (mark && fence && mark[0] === fence[0] && mark.length >= fence.length) fence = undefined
    if (fence) continue
    const text = /^\s*[-*+] \[[ xX]\]\s+([^\n]*\S)/.exec(line)?.[1]
    if (text) found.push(text.slice(0, limits.criterion))
  }
  return [...new Set(found)]
}
