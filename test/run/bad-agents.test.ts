import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RunReport, TaskReport } from '../../src/run/report.ts'
import { executable, run, start } from '../support/cleo.ts'
import { git, put, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

/** What the shell of an agent does in its first attempt at a task. The second attempt is honest. */
const habits: readonly [title: string, script: string, expected: Partial<TaskReport>][] = [
  ['hangs', 'exec sleep 600', { failures: ['hung'] }],
  [
    'asks a question and waits',
    'echo "Shall I use tabs or spaces?"; exec sleep 600',
    { failures: ['asked a question'] },
  ],
  [
    'ignores SIGTERM',
    "trap '' TERM; while :; do sleep 1; done",
    { failures: ['hung'], remarks: ['ignored SIGTERM'] },
  ],
  ['crashes', 'kill -SEGV $$', { failures: ['crashed'] }],
  ['exits 0 with nothing', 'exit 0', { failures: ['claimed success with nothing'] }],
  [
    'claims success',
    'echo "Implementation complete. See MANIFEST.jsonl for summary."',
    { failures: ['claimed success with nothing'] },
  ],
  ['does not find cleo', 'PATH=/nowhere; cleo focus set $task', { failures: ['cleo not found'] }],
  [
    'leaves a process in a session of its own',
    'setsid sleep 600 >/dev/null 2>&1 </dev/null & exit 0',
    { failures: ['claimed success with nothing'], remarks: ['left 1 process behind'] },
  ],
  ['holds the pipe', 'sleep 600 & exit 0', { remarks: ['left 1 process behind'] }],
  ['prints 110 MB', "head -c 110000000 /dev/zero | tr '\\0' x", { remarks: ['printed 110 MB'] }],
  [
    'edits the main checkout',
    'echo x > "$CLEO_PROJECT/planted.txt"',
    {
      remarks: [expect.stringContaining('while it worked, the main checkout changed (planted.txt') as string],
    },
  ],
  [
    'edits git config',
    'git -C "$CLEO_PROJECT" config alias.st "!echo planted"',
    { remarks: ['while it worked, git config or hooks changed'] },
  ],
  [
    'plants a git hook',
    'echo "#!/bin/sh" > "$CLEO_PROJECT/.git/hooks/pre-commit"',
    { remarks: ['while it worked, git config or hooks changed'] },
  ],
  ['commits nothing', 'begin; fill; cleo finish $task --finding "Built."', { failures: ['no commit'] }],
  [
    'writes a second line to the manifest',
    'begin; echo x > $task.txt; submit; echo \'{"task":"\'$task\'"}\' >> claudedocs/agent-outputs/MANIFEST.jsonl',
    { failures: [] },
  ],
  [
    'writes two entries',
    `begin; echo x > $task.txt; submit; cd claudedocs/agent-outputs
     second=$(tail -n 1 MANIFEST.jsonl | sed 's/-/-again-/'); echo "$second" >> MANIFEST.jsonl`,
    {
      failures: [],
      remarks: [expect.stringContaining('wrote a second entry, which was not used: ') as string],
    },
  ],
  ['submits tests that fail', 'begin; echo x > broken.txt; submit', { failures: ['gates not met'] }],
]

const idOf = (n: number): string => `T${String(n + 2).padStart(3, '0')}`

const agent = `#!/bin/sh
cat > /dev/null
task=\${CLEO_AGENT_ID%.*}
begin() { cleo focus set $task > /dev/null; }
fill() { sed -i 's/^## Summary$/## Summary\\n\\nIt is done./' claudedocs/agent-outputs/$task-*; }
submit() {
  fill
  git add -A
  git commit -q -m "Build $task"
  cleo finish $task --finding "It is built." --no-tests "The test plays an agent."
}
case $CLEO_AGENT_ID in
${habits.map(([, script], n) => `${idOf(n)}.1) ${script} ;;`).join('\n')}
*) rm -f broken.txt; begin; echo "work of $task" > $task.txt; submit ;;
esac
`

/**
 * Five failed attempts in a row would stop the run. With four chains this cannot happen, because a failed attempt is
 * followed by an honest one.
 */
const chains = 4

const drive = (root: string): Promise<RunReport> => {
  const cleo = (args: string[], input = '') => {
    const ran = run(executable, args, { cwd: root, input })
    if (ran.exit !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
  }
  repository(root)
  put(root, {
    Makefile: '.PHONY: test lint\ntest:\n\t@sh check.sh\nlint:\n\t@echo ok\n',
    'check.sh': 'if [ -e broken.txt ]; then echo "1 failed"; exit 1; fi\necho "1 passed"\n',
    '.home/agent.sh': agent,
  })
  const program = join(root, '.home', 'agent.sh')
  chmodSync(program, 0o755)
  git(root, 'add', 'Makefile', 'check.sh')
  git(root, 'commit', '-q', '-m', 'Begin')
  cleo(['init'])
  cleo(['config', 'set', 'run.idle', '0.2'])
  cleo(['add', 'Habits', '--type', 'epic'])
  const rows = habits.map(([title], n) => ({
    ...{ key: idOf(n), title: `An agent that ${title}`, description: 'Build it.', parent: 'T001' },
    ...(n >= chains && { depends: [idOf(n - chains)] }),
  }))
  cleo(['add', '--batch'], rows.map((row) => JSON.stringify(row)).join('\n'))
  const args = ['run', 'T001', '--agent', 'command', '--command', program, '--parallel', String(chains)]
  return start(executable, args, { cwd: root }).then(
    ({ stdout }) => (JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { data: RunReport }).data,
  )
}

describe('[RUN-3] the report names an agent that', () => {
  let report: RunReport
  beforeAll(async () => {
    report = await withTemp(drive)
  })

  test.each(habits.map(([title, , expected], n) => [title, idOf(n), expected] as const))(
    '%s; its next attempt is merged',
    (_, id, expected) => {
      const { remarks = [], ...others } = expected
      expect(report.tasks.find((each) => each.id === id)).toMatchObject({
        ...others,
        // Other agents, which work at the same time, might have changed the checkout. This adds a remark.
        remarks: expect.arrayContaining(remarks),
        state: 'merged',
      })
    },
  )
})
