import type { SinceCommit } from '../git/commits-since.ts'
import type { Tool } from '../kernel/config-words.ts'
import type { Problem } from '../kernel/result.ts'
import type { Counts } from '../test-reports/printed-counts.ts'

/** An atom and what CLEO observed when checking it, as stored in the database. */
export type ObservedAtom =
  /**
   * The field `since` holds the commits that were made after the work began. It can be set only if the commit
   * `sha` was checked out when the evidence was given.
   */
  | { kind: 'commit'; ref: string; sha: string; since?: KeptCommits }
  /** The hash is empty for a file that the work deleted. */
  | { kind: 'files'; files: { path: string; sha256: string }[] }
  | ObservedTool
  | ({ kind: 'test-run'; path: string; sha256: string; format: string } & Counts)
  | { kind: 'url'; url: string }
  | { kind: 'note'; text: string }
  /** A remark on accepted evidence. People should see the remark wherever the gate is shown. */
  | { kind: 'warning'; text: string }
  /**
   * The text of the criterion when the evidence was given. Needed because another criterion can later get the same
   * number.
   */
  | { kind: 'criterion'; text: string }

/** Commits that were read when evidence was given. They are stored with the evidence. */
export interface KeptCommits {
  /** The commit at which the work began. */
  from: string
  /** The commits after `from`, up to and including the commit of the evidence, newest first. */
  commits: SinceCommit[]
}

export interface ObservedTool {
  kind: 'tool'
  tool: Tool
  command: string
  /** Undefined if the program did not exit by itself, or if the project has no command for the tool. */
  exit?: number
  counts?: Counts
  /** The log file, which holds the end of the program's output. */
  log?: string
  tail?: string
  /** Untracked files that the run wrote; they do not count as changes to the work. */
  made?: string[]
  /** The failing tests that were accepted, because they had failed before the spawn too. */
  before?: { failed: number; by: 'name' | 'count' }
}

export interface Observations {
  atoms: ObservedAtom[]
  problems: Problem[]
  warnings: string[]
  /** The questions in the inbox that ask a person whether a command may run. */
  questions: string[]
  /** True if the gate does not apply, because the project has no tool that could prove it. */
  isNa: boolean
  failed?: string
  /** What to do before the same evidence is given again. */
  todo?: string
  /**
   * Hash of the checked files. With git, it is the hash of the commit's tree; without git, a hash of the folder's
   * files.
   */
  tree?: string
}

export const canBeRechecked = ({ kind }: ObservedAtom): boolean =>
  kind === 'commit' || kind === 'files' || kind === 'tool' || kind === 'test-run'

/** The text for a test report contains the word `reported`, because CLEO did not see the test run. */
export const atomTexts = (atom: ObservedAtom): string[] => {
  switch (atom.kind) {
    case 'commit':
      return [`commit:${atom.sha.slice(0, 7)}`]
    case 'files':
      return [`files:${names(atom.files.map(({ path }) => path))}`]
    case 'tool':
      return [
        `tool:${atom.tool}${atom.exit === undefined ? '' : ` exit ${atom.exit}`}${counted(atom.counts)}${beforeText(atom)}`,
      ]
    case 'test-run':
      return [`test-run:${atom.path} reported${counted(atom)}`]
    case 'url':
      return [`url:${atom.url}`]
    case 'note':
      return [`note:${atom.text.length > 80 ? `${atom.text.slice(0, 80)}…` : atom.text}`]
    case 'warning':
      return [`warning: ${atom.text}`]
    case 'criterion':
      return []
  }
}

export const beforeText = ({ before }: ObservedTool): string => {
  if (!before) return ''
  const compared = before.by === 'count' ? ' (by number; the output names no tests)' : ''
  return `, ${before.failed} failed before the spawn too${compared}`
}

const names = (paths: readonly string[]): string =>
  paths.length > 3 ? `${paths.slice(0, 3).join(',')} and ${paths.length - 3} more` : paths.join(',')

const counted = (counts: Counts | undefined): string => {
  if (!counts) return ''
  const { passed, failed, skipped } = counts
  return `, ${passed} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
