import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They start first, so that none of them still runs when the other cores are idle. */
const longest = [
  'reliability/mutants',
  'cli/transcripts',
  'reliability/chaos',
  'run/bad-agents',
  'worktrees/bad-input',
  'reliability/merging',
  'project/outer-backups',
  'front-door/honest-projects',
  'run/driver',
  'reliability/manifest',
  'cli/limits',
  'cli/bad-disk',
  'doctor/worktrees',
  'merge/merge-works',
  'reliability/landing',
  'mcp/serve',
  'doctor/doctor',
  'trust/trust',
  'client-hooks/hook',
  'mcp/writers',
  'cli/doctor',
  'cli/bad-input',
  'merge/land',
  'reliability/kill',
  'transfer/restore',
  'worktrees/save-attempt',
  'prompt/budget/fit-skills',
  'package',
  'evidence/commit-rule',
  'help/shells',
  'front-door/literal-reader',
  'screens/screens',
  'manifest/split-lines',
  'completion/complete',
  'spawn/odd-skills',
  'evidence/run-tools',
  'doctor/healthy',
  'front-door/clone',
  'tasks/ready-index',
  'front-door/epic',
  'transfer/import',
  'run/own-session',
  'cli/tokens-by-command',
  'front-door/play',
  'prompt/budget/estimate',
  'run/bad-disk',
  'cli/orchestrator-tokens',
  'agent-processes/setup',
  'test-reports/real-runs',
  'reliability/finish',
  'cli/pipes',
  'reliability/doctor',
  'manifest/sync',
  'run/fleet',
  'reliability/claims',
  'merge/merge-returned',
  'client-hooks/shell-commands',
  'run/plan',
  'receive/receive',
  'consensus/voters',
].map((name) => `/test/${name}.test.ts`)

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(path))
      return at < 0 ? longest.length : at
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}
