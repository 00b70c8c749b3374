import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { type TestProject, withProject } from '../support/project.ts'

/** Returns the project for a caller whose PATH has the built cleo and a program that stands in for Codex. */
const withCodex = ({ root, afresh }: TestProject, exec: string): TestProject => {
  const home = join(root, '.home')
  mkdirSync(join(home, 'bin'), { recursive: true })
  const program = (name: string, lines: string): void => {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${lines}\n`)
    chmodSync(join(home, 'bin', name), 0o755)
  }
  program(
    'cleo',
    `case "$1" in hook) cat >/dev/null; echo '{}';; *) exec ${executable.command[0]} "$@";; esac`,
  )
  program('codex', `case "$1" in exec) ${exec};; *) echo codex 0.166;; esac`)
  writeFileSync(join(home, '.profile'), `PATH="${home}/bin:$PATH"\n`)
  return afresh({ HOME: home, PATH: `${home}/bin:/usr/bin:/bin` })
}

const turnOf = async ({ call }: TestProject) => {
  const answer = await call('agents.clients.check', { client: 'codex', turn: true, yes: true })
  if (answer.ok) return answer.value.checks.find(({ what }) => what === 'turn')?.found
  return answer.problems!.find(({ path }) => path === 'codex turn')?.message
}

test('[PROV-2] check makes a real turn with a commit, only after a yes and only for a person', () =>
  withProject(async (project) => {
    const works =
      'cat > prompt.txt; echo ready > ready.txt; git add ready.txt; git commit -qm Ready; pwd > $HOME/at'
    const codex = withCodex(project, works)
    const { root, as } = codex
    await codex.call('admin.setup', { client: 'codex', yes: true })
    const asked = { client: 'codex', turn: true } as const
    expect(await codex.call('agents.clients.check', asked)).toMatchObject({
      code: 'client.unconfirmed',
      fix: 'cleo clients check codex --turn --yes',
    })
    expect(await as('T001.1').call('agents.clients.check', { ...asked, yes: true })).toMatchObject({
      exit: 64,
    })
    expect(existsSync(join(root, '.home/at'))).toBe(false)
    expect(await turnOf(codex)).toBe('committed a file')
    expect(existsSync(join(root, '.home/at'))).toBe(true)
    const inSetup = { ...asked, check: true } as const
    expect(await codex.call('admin.setup', inSetup)).toMatchObject({
      code: 'client.unconfirmed',
      fix: 'cleo setup codex --check --turn --yes',
    })
    expect(await as('T001.1').call('admin.setup', { ...inSetup, yes: true })).toMatchObject({ exit: 64 })
    const { checks } = await codex.must('admin.setup', { ...inSetup, yes: true })
    expect(checks!.find(({ what }) => what === 'turn')).toMatchObject({ found: 'committed a file' })
    expect(await codex.call('admin.setup', { ...asked, yes: true })).toMatchObject({
      code: 'input.invalid',
      problems: [{ path: 'turn', fix: 'cleo setup codex --check --turn' }],
    })
    expect(readdirSync(join(root, '.home/.local/state/cleo/turns'))).toEqual([])
  }))

test.each([
  ['says ready and does nothing', 'echo ready', 'a turn made no commit: ended, said nothing'],
  ['crashes', 'exit 4', 'a turn made no commit: crashed, exit status 4'],
  [
    'is not logged in',
    'echo "{\\"type\\":\\"turn.failed\\",\\"error\\":{\\"message\\":\\"401 Unauthorized\\"}}"; exit 1',
    'a turn made no commit: not logged in, 401 Unauthorized',
  ],
])('[PROV-2] check says that a client which %s made no commit', (_what, exec, message) =>
  withProject(async (project) => {
    const codex = withCodex(project, exec)
    await codex.call('admin.setup', { client: 'codex', yes: true })
    expect(await turnOf(codex)).toBe(message)
  }),
)
