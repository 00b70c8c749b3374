import { chmodSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunReport } from '../../src/run/report.ts'
import { executable, run, start } from '../support/cleo.ts'
import { git, put, repository } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

/** What the clients print at the beginning and at the end of a turn, as recorded from real clients. */
const streams = {
  claude: {
    begin: '{"type":"system","subtype":"init","session_id":"11111111-2222-4333-8444-555555555555"}',
    end: '{"type":"result","subtype":"success","is_error":false,"result":"Implementation complete. See MANIFEST.jsonl for summary.","modelUsage":{"m":{"inputTokens":10,"outputTokens":5,"costUSD":0.01}}}',
  },
  codex: {
    begin: '{"type":"thread.started","thread_id":"11111111-2222-4333-8444-555555555555"}',
    end: '{"type":"turn.completed","usage":{"input_tokens":10,"cached_input_tokens":0,"output_tokens":5}}',
  },
} as const

/**
 * A client that records its arguments, folder and prompt. In a new session it does nothing, and in a continued session
 * it works.
 */
const programFor = ({ begin, end }: { begin: string; end: string }, notes: string): string => `#!/bin/bash
cat > "${notes}/prompt-$(ls "${notes}" | grep -c prompt)"
printf '%s\\n' "$PWD" "$@" > "${notes}/arguments-$(ls "${notes}" | grep -c arguments)"
echo '${begin}'
task=\${CLEO_AGENT_ID%.*}
case " $* " in *11111111-2222*)
  cleo focus set $task
  sed -i 's/^## Summary$/## Summary\\n\\nIt is done./' claudedocs/agent-outputs/$task-*
  echo work > $task.txt; git add -A; git commit -q -m "Build $task"
  cleo finish $task --finding "Built." --no-tests "The test plays a client." ;;
esac >&2
echo '${end}'
`

test.each(['claude', 'codex'] as const)(
  '[RUN-3] refused work goes back to the session that %s has, in the same folder',
  (client) =>
    withTemp(async (root) => {
      const env = { PATH: `${join(root, 'bin')}${delimiter}${process.env['PATH']}` }
      const cleo = (...args: string[]) => {
        const ran = run(executable, args, { cwd: root, env })
        if (ran.exit !== 0) throw new Error(`${args.join(' ')}: ${ran.stdout}${ran.stderr}`)
      }
      repository(root)
      put(root, {
        Makefile: '.PHONY: test lint\ntest:\n\t@echo "1 passed"\nlint:\n\t@echo ok\n',
        'notes/.keep': '',
        [`bin/${client}`]: programFor(streams[client], join(root, 'notes')),
        '.gitignore': 'bin\nnotes\n',
      })
      chmodSync(join(root, 'bin', client), 0o755)
      git(root, 'add', '-A')
      git(root, 'commit', '-q', '-m', 'Begin')
      cleo('init')
      cleo('add', 'Shop', '--type', 'epic')
      cleo('add', 'Build it', '--parent', 'T001', '--description', 'Build it.')
      const ran = await start(executable, ['run', 'T001', '--agent', client], { cwd: root, env })
      const report = (JSON.parse(ran.stdout.trimEnd().split('\n').at(-1)!) as { data: RunReport }).data
      expect(report, ran.stdout).toMatchObject({ merged: 1, retries: 1 })
      expect(report.tasks[0]!.attempts).toMatchObject([
        { spawnId: 'T002.1', session: 'new' },
        { spawnId: 'T002.1', session: 'continued' },
      ])
      const read = (name: string) => readFileSync(join(root, 'notes', name), 'utf8')
      const [first, second] = [read('arguments-0').split('\n'), read('arguments-1').split('\n')]
      expect(second![0], 'the folder').toBe(first![0])
      const id = '11111111-2222-4333-8444-555555555555'
      if (client === 'claude') expect(second).toContain(`--resume=${id}`)
      else expect(second!.slice(-4)).toEqual(['resume', id, '-', ''])
      expect(first!.join(' ')).not.toContain(id)
      expect(read('prompt-0').length).toBeGreaterThan(2000)
      expect(read('prompt-1')).toMatch(/^CLEO checked your work on T002 and did not accept it\./)
    }),
)
