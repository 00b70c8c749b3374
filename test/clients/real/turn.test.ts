import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runClosed } from '../closed-network.ts'
import type { Step } from '../model/scenario.ts'
import { describeClients } from '../real-clients.ts'
import { installClient } from '../run-stage.ts'
import { setUp } from '../set-up.ts'
import type { Stage } from '../stage.ts'

describeClients('a turn as in a run', ['claude', 'codex', 'gemini', 'opencode'], (play, client) => {
  const turn = (stage: Stage, words: readonly string[], steps: Step[]) => {
    const agents = { turn: { when: 'Make the file', hears: { file: 'Make the file (/\\S+)' }, steps } }
    return runClosed({
      scenario: { agents },
      command: ['cleo', ...words, '--turn', '--yes', '--json'],
      cwd: stage.project,
      env: installClient(stage, client),
      input: '',
      limit: 300_000,
    })
  }
  const add: Step = { shell: 'git add ready.txt' }
  const write: Step = { write: { file: '${file}', text: 'ready\n' } }

  test('[PROV-3] commits under the permissions of a run, and leaves nothing', () =>
    play(async (stage) => {
      await stage.person('cleo init')
      await setUp(stage, client)
      const { stdout, left } = await turn(
        stage,
        ['setup', client.name, '--check'],
        [write, add, { shell: 'git commit -m Ready' }, { say: 'Done.' }],
      )
      const answer = JSON.parse(stdout)
      const checks = [...(answer.data?.checks ?? []), ...(answer.error?.problems ?? [])]
      expect(
        checks.filter((each: { what?: string; path?: string }) => (each.what ?? each.path)!.endsWith('turn')),
      ).toMatchObject([{ found: expect.stringContaining('committed a file') }])
      expect(left).toEqual([])
      expect(readdirSync(join(stage.home, '.local/state/cleo/turns'))).toEqual([])
    }))

  test('[PROV-3] that claims success without a commit is told apart', () =>
    play(async (stage) => {
      await stage.person('cleo init')
      await setUp(stage, client)
      const denied: Step[] = client.name === 'codex' ? [] : [{ shell: 'curl http://127.0.0.1:1/' }]
      const { stdout } = await turn(
        stage,
        ['clients', 'check', client.name],
        [write, ...denied, { say: 'Committed.' }],
      )
      const problems = JSON.parse(stdout).error.problems as { path: string; message: string }[]
      expect(problems.find(({ path }) => path.endsWith('turn'))!.message).toBe(
        `a turn made no commit: ${denied.length > 0 ? 'not allowed: $ curl http://127.0.0.1:1/' : 'ended, said "Committed."'}`,
      )
    }))
})
