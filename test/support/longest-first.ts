import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They start first, so that none of them still runs when the other cores are idle. */
const longest = [
  'reliability/mutants',
  'cli/transcripts',
  'doctor/doctor',
  'worktrees/bad-input',
  'cli/limits',
  'cli/bad-disk',
  'merge/merge-works',
  'front-door/play',
  'merge/land',
  'run/driver',
  'doctor/worktrees',
  'reliability/backup',
  'reliability/chaos',
  'front-door/epic',
  'completion/complete',
  'doctor/healthy',
  'cli/doctor',
  'reliability/manifest',
  'worktrees/save-attempt',
  'transfer/restore',
  'tasks/ready-index',
  'manifest/split-lines',
  'merge/landing',
  'front-door/honest-projects',
  'front-door/literal-reader',
  'evidence/commit-rule',
  'transfer/import',
  'evidence/submodules',
  'evidence/run-tools',
  'reliability/merging',
  'cli/bad-input',
  'cli/orchestrator',
  'merge/merge-returned',
  'project/outer-backups',
  'reliability/kill',
  'cli/tokens-by-command',
  'prompt/budget/fit-skills',
  'client-hooks/hook',
  'help/shells',
  'front-door/clone',
  'screens/screens',
  'mcp/serve',
  'run/bad-agents',
  'reliability/claims',
  'content/commands',
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
