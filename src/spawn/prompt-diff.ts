import { lineEdits } from '../kernel/line-edits.ts'

export interface Difference {
  section: string
  removed: string[]
  added: string[]
}

/** Ignores spawn ids and fence marks, because they always differ. */
export const differences = (before: Prompt, after: Prompt): Difference[] => {
  const [a, b] = [linesOf(before), linesOf(after)]
  const found: Difference[] = []
  let section = ''
  const note = (section: string): Difference => {
    const last = found.at(-1)
    if (last?.section === section) return last
    const fresh = { section, removed: [], added: [] }
    found.push(fresh)
    return fresh
  }
  for (const { kind, line } of lineEdits(a, b)) {
    if (kind !== 'removed' && isHeading(line)) section = line
    if (kind !== 'same') note(section)[kind].push(line)
  }
  return found
}

export interface Prompt {
  spawnId: string
  text: string
}

const isHeading = (line: string): boolean => line.startsWith('## ') || line.startsWith('### ')

const linesOf = ({ spawnId, text }: Prompt): string[] =>
  text
    .replaceAll(spawnId, `${spawnId.slice(0, spawnId.indexOf('.'))}.n`)
    .replace(/(<\/?data-)[0-9a-f]{8}/g, '$1n')
    .split('\n')
