import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest. They start first, so that none of them still runs when the other cores are idle. */
const longest = [
  'reliability/mutants',
  'cli/transcripts',
  'reliability/chaos',
  'worktrees/bad-input',
  'run/own-session',
  'cli/pipes',
  'client-hooks/shell-commands',
  'tasks/add',
  'doctor/doctor',
  'run/bad-agents',
  'evidence/work-rule',
  'cli/limits',
  'consensus/voters',
  'cli/bad-disk',
  'store/postgres-address',
  'run/fleet',
  'merge/merge-works',
  'completion/finish',
  'cli/orchestrator-tokens',
  'manifest/sync',
  'store/upgrade',
  'cli/doctor',
  'completion/submit-to-run',
  'reliability/merging',
  'trust/trust',
  'transfer/foreign',
  'client-hooks/hook',
  'completion/view',
  'evidence/run-tools',
  'run/driver',
  'agent-processes/watcher',
  'front-door/clone',
  'worktrees/make',
  'inbox/answer',
  'cli/bad-input',
  'evidence/git',
  'doctor/worktrees',
  'worktrees/save-attempt',
  'cli/places',
  'project/hostile-clone',
  'merge/move-branch',
  'help/shells',
  'spawn/prompts',
  'worktrees/set-up',
  'outline/add',
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
