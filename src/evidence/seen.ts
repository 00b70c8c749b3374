import type { Tool } from '../kernel/config-words.ts'
import type { Counts } from './counts.ts'

/** A piece of evidence with what was seen of it, as it is kept. */
export type Seen =
  | { kind: 'commit'; ref: string; sha: string }
  | { kind: 'files'; files: { path: string; sha256: string }[] }
  | SeenTool
  | ({ kind: 'test-run'; path: string; sha256: string; format: string } & Counts)
  | { kind: 'url'; url: string }
  | { kind: 'note'; text: string }
  /** What a criterion said then: its number may be another one's by now. */
  | { kind: 'criterion'; text: string }

export interface SeenTool {
  kind: 'tool'
  tool: Tool
  command: string
  /** None where it did not come to an end by itself, or the project has no such command. */
  exit?: number
  /** Left out where the program did not say. */
  counts?: Counts
  /** Where the end of its output is kept. */
  log?: string
  tail?: string
  /** Files that came or changed by the run and are not git's: they do not count as changes. */
  made?: string[]
}

/** What can be looked at again. */
export const isHard = ({ kind }: Seen): boolean =>
  kind === 'commit' || kind === 'files' || kind === 'tool' || kind === 'test-run'

/** As people and agents read it, short. A report was told, not seen. */
export const seenWords = (seen: Seen): string[] => {
  switch (seen.kind) {
    case 'commit':
      return [`commit:${seen.sha.slice(0, 7)}`]
    case 'files':
      return [`files:${names(seen.files.map(({ path }) => path))}`]
    case 'tool':
      return [
        `tool:${seen.tool}${seen.exit === undefined ? '' : ` exit ${seen.exit}`}${counted(seen.counts)}`,
      ]
    case 'test-run':
      return [`test-run:${seen.path} reported${counted(seen)}`]
    case 'url':
      return [`url:${seen.url}`]
    case 'note':
      return [`note:${seen.text.length > 80 ? `${seen.text.slice(0, 80)}…` : seen.text}`]
    case 'criterion':
      return []
  }
}

const names = (paths: readonly string[]): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(',')} and ${paths.length - 3} more` : paths.join(',')

const counted = (counts: Counts | undefined): string => {
  if (!counts) return ''
  const { passed, failed, skipped } = counts
  return `, ${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
