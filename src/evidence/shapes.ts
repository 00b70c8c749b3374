import * as v from 'valibot'
import type { Style } from '../kernel/style.ts'
import { describe } from '../kernel/text.ts'
import type { Taken } from './take.ts'

export const EvidenceText = describe(
  v.pipe(v.string(), v.trim(), v.minLength(1, 'is empty')),
  'commit:<sha>, files:a,b, tool:test|lint|build|typecheck|audit, test-run:<report>, url:<https…>, note:<text>; several with ; between them',
)

export const takenShape = () => ({
  state: v.picklist(['passed', 'failed', 'na']),
  evidence: v.array(v.string()),
  /** Where it was taken: folder, commit and hash of the files. */
  worktree: v.optional(v.string()),
  head: v.optional(v.string()),
  tree: v.optional(v.string()),
})

const shown: Record<Taken['state'], string> = {
  passed: 'passed',
  failed: 'failed',
  na: 'does not apply: the project has no command for it',
}

export const drawTaken = (
  name: string,
  { state, evidence, worktree, head }: Taken,
  style: Style,
  words: Partial<Record<Taken['state'], string>> = {},
): string[] => [
  `${state === 'passed' ? style.green('✓') : '–'} ${name} ${words[state] ?? shown[state]}`,
  ...evidence.map((each) => `  ${each}`),
  ...(worktree ? [style.dim(`  in ${worktree}${head ? ` at ${head.slice(0, 7)}` : ''}`)] : []),
]

export const CriterionNumber = v.pipe(v.number(), v.integer(), v.minValue(1))
