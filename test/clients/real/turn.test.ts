import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { modelUrl, runClosed } from '../closed-network.ts'
import type { Step } from '../model/scenario.ts'
import { describeClients } from '../real-clients.ts'
import type { Stage } from '../stage.ts'

/** How each client is told of the scripted model, other than by arguments: those are CLEO's. */
const pointToModel: Record<'claude' | 'codex', (stage: Stage) => Record<string, string>> = {
  claude: () => ({
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'scripted',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  codex: ({ home }) => {
    mkdirSync(join(home, '.codex'), { recursive: true })
    const provider = `{name="scripted",base_url="${modelUrl}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`
    writeFileSync(
      join(home, '.codex', 'config.toml'),
      `model="scripted"\nmodel_provider="scripted"\nmodel_providers.scripted=${provider}\nanalytics.enabled=false\n`,
    )
    return { OPENAI_API_KEY: 'scripted' }
  },
}

describeClients('a turn as in a run', ['claude', 'codex'], (play, client) => {
  const turn = (stage: Stage, steps: Step[]) => {
    const bin = join(dirname(stage.project), 'bin')
    const program = join(bin, client.name)
    writeFileSync(program, `#!/bin/sh\nexec ${client.command.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    chmodSync(program, 0o755)
    const path = [bin, dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin']
    // Login shells of clients set PATH anew.
    writeFileSync(join(stage.home, '.profile'), `PATH="${path.join(':')}"\n`)
    const agents = { turn: { when: 'Make the file', hears: { file: 'Make the file (/\\S+)' }, steps } }
    return runClosed({
      scenario: { agents },
      command: ['cleo', 'clients', 'check', client.name, '--turn', '--yes', '--json'],
      cwd: stage.project,
      env: {
        ...{ HOME: stage.home, USER: 'ada', PATH: path.join(':'), LANG: 'C.UTF-8' },
        ...pointToModel[client.name as 'claude' | 'codex'](stage),
      },
      input: '',
      limit: 120_000,
    })
  }
  const add: Step = { shell: 'git add ready.txt' }
  const write: Step = { write: { file: '${file}', text: 'ready\n' } }

  test('[PROV-3] commits under the permissions of a run, and leaves nothing', () =>
    play(async (stage) => {
      await stage.person('cleo init')
      await stage.person(`cleo setup ${client.name} --yes`)
      const { stdout, left } = await turn(stage, [
        write,
        add,
        { shell: 'git commit -m Ready' },
        { say: 'Done.' },
      ])
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
      await stage.person(`cleo setup ${client.name} --yes`)
      const denied: Step[] = client.name === 'claude' ? [{ shell: 'curl http://127.0.0.1:1/' }] : []
      const { stdout } = await turn(stage, [write, ...denied, { say: 'Committed.' }])
      const problems = JSON.parse(stdout).error.problems as { path: string; message: string }[]
      expect(problems.find(({ path }) => path.endsWith('turn'))!.message).toBe(
        `a turn made no commit: ${denied.length > 0 ? 'not allowed: $ curl http://127.0.0.1:1/' : 'ended, said "Committed."'}`,
      )
    }))
})
