import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hookCommand } from '../../src/clients/hook-command.ts'
import { nodeProcesses } from '../../src/host/node-processes.ts'
import { sha256 } from '../../src/host/sha256.ts'
import { version } from '../../src/kernel/version.ts'
import { type TestProject, withProject } from '../support/project.ts'

/** Writes a program of the test into a folder that is on PATH. */
const program = (root: string, name: string, lines: string): void => {
  const folder = join(root, '.home/bin')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\n${lines}\n`)
  chmodSync(join(folder, name), 0o755)
}

const cleo = `case "$1" in --version) echo "cleo ${version}";; hook) cat >/dev/null; echo '{}';; esac`

/** Returns the project for a caller whose PATH has the programs of the test, also in a login shell. */
const withPrograms = ({ root, afresh }: TestProject): TestProject => {
  const home = join(root, '.home')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, '.profile'), `PATH="${home}/bin:$PATH"\n`)
  return afresh({ HOME: home, PATH: `${home}/bin:/usr/bin:/bin` })
}

test('[PROV-2] check runs cleo in the shell of the client and a hook, and says what is missing', () =>
  withProject(async (project) => {
    const { root } = project
    const { call, must } = withPrograms(project)
    const unready = await call('agents.clients.check', { client: 'claude' })
    expect(unready).toMatchObject({ code: 'client.unready', exit: 71 })
    expect(unready.ok || unready.problems!.map(({ path }) => path)).toEqual([
      'claude program',
      'claude cleo in its shell',
      'claude files',
      'claude hook',
    ])
    program(root, 'cleo', cleo)
    program(root, 'claude', 'echo "2.1.325 (Claude Code)"')
    expect(
      (await must('admin.setup', { yes: true })).files.length,
      'sets up what is installed',
    ).toBeGreaterThan(3)
    const { checks } = await must('admin.setup', { check: true })
    expect(checks!.map(({ what, note }) => [what, note ?? false])).toEqual([
      ['program', false],
      ['cleo in its shell', false],
      ['files', false],
      ['hook', false],
      ['hooks called', true],
    ])
    program(root, 'cleo', cleo.replace(version, '0.0.1').replace("echo '{}'", 'echo no'))
    const old = await call('agents.clients.check', {})
    expect(old.ok || old.problems!.map(({ path }) => path)).toEqual([
      'claude cleo in its shell',
      'claude hook',
    ])
    expect(old.warnings).toEqual(['claude hooks called: not since the set-up; start Claude Code here once'])
  }))

test('[PROV-2] check names files and entries of the user that are used instead of ours', () =>
  withProject(async (project) => {
    const { root } = project
    const { must } = withPrograms(project)
    program(root, 'cleo', cleo)
    program(root, 'claude', 'echo "2.1.325 (Claude Code)"')
    mkdirSync(join(root, '.claude/agents'), { recursive: true })
    writeFileSync(join(root, '.claude/agents/cleo-subagent.md'), '---\nname: cleo-subagent\n---\nMine.\n')
    writeFileSync(join(root, '.claude/agents/other.md'), '---\nname: "cleo-subagent"\n---\nAlso mine.\n')
    writeFileSync(join(root, '.mcp.json'), '{ "mcpServers": { "cleo": { "command": "mine" } } }\n')
    await must('admin.setup', { client: 'claude', yes: true })
    const skill = join(root, '.claude/skills/ct-orchestrator/SKILL.md')
    writeFileSync(skill, `${readFileSync(skill, 'utf8')}Edited.\n`)
    const { checks } = await must('admin.setup', { client: 'claude', check: true })
    expect(checks!.flatMap(({ what, found, note }) => (what === 'yours' && note ? found : []))).toEqual([
      ".claude/agents/cleo-subagent.md is yours and is used instead of CLEO's",
      ".claude/skills/ct-orchestrator/SKILL.md was edited since the set-up; delete it and run setup again to have CLEO's",
      ".mcp.json: mcpServers.cleo is used instead of CLEO's",
      ".claude/agents/other.md also defines cleo-subagent: the client may use it instead of CLEO's",
    ])
  }))

test('[PROV-2] check says whether the agent was accepted in Gemini', () =>
  withProject(async (project) => {
    const { root } = project
    const { must } = withPrograms(project)
    program(root, 'cleo', cleo)
    program(root, 'gemini', 'echo 0.61.0')
    const { next } = await must('admin.setup', { client: 'gemini', yes: true })
    expect(next!.join('\n')).toContain('accept the agent cleo-subagent')
    const accepted = async () =>
      (await must('agents.clients.check', { client: 'gemini' })).checks.find(
        ({ what }) => what === 'agent accepted',
      )
    expect(await accepted()).toMatchObject({ note: true, found: expect.stringContaining('not yet') })
    const hash = sha256(readFileSync(join(root, '.gemini/agents/cleo-subagent.md'), 'utf8'))
    const folder = join(root, '.home/.gemini/acknowledgments')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'agents.json'), JSON.stringify({ [root]: { 'cleo-subagent': hash } }))
    expect(await accepted()).toMatchObject({ found: 'yes' })
    writeFileSync(join(folder, 'agents.json'), 'broken')
    expect(await accepted()).toMatchObject({ note: true })
  }))

test("[PROV-2] check says whether CLEO's server was approved in Qwen", () =>
  withProject(async (project) => {
    const { root } = project
    const { must } = withPrograms(project)
    program(root, 'cleo', cleo)
    program(root, 'qwen', 'echo 0.24.4')
    const { next } = await must('admin.setup', { client: 'qwen', yes: true })
    expect(next!.join('\n')).toContain('qwen mcp approve cleo')
    const approved = async () =>
      (await must('agents.clients.check', { client: 'qwen' })).checks.find(
        ({ what }) => what === 'server approved',
      )
    expect(await approved()).toMatchObject({ note: true, found: expect.stringContaining('not yet') })
    const file = join(root, '.home/.qwen/mcpApprovals.json')
    mkdirSync(join(root, '.home/.qwen'), { recursive: true })
    writeFileSync(file, JSON.stringify({ [root]: { cleo: { hash: '494d', status: 'approved' } } }))
    expect(await approved()).toMatchObject({ found: 'yes' })
    for (const other of [JSON.stringify({ [root]: { cleo: { status: 'rejected' } } }), '{"a": [', '[]']) {
      writeFileSync(file, other)
      expect(await approved(), other).toMatchObject({ note: true })
    }
  }))

test('[PROV-2] doctor names hooks that were never called, until the client calls one', () =>
  withProject(async ({ root, call, must }) => {
    await must('admin.setup', { client: 'codex', yes: true })
    const ill = await call('admin.doctor', {})
    expect(ill).toMatchObject({
      ok: false,
      problems: [{ path: 'client-hooks', fix: 'cleo setup codex --check' }],
    })
    const seen = join(root, '.home/.local/state/cleo/hooks')
    mkdirSync(seen, { recursive: true })
    writeFileSync(join(seen, 'codex'), 'Stop\n')
    expect(await call('admin.doctor', {})).toMatchObject({ ok: true })
    expect((await must('agents.clients.list', {})).clients[1]).toMatchObject({ setUp: true, hooks: 'called' })
  }))

test('[PROV-2] a hook ends with 0 where cleo is gone, and otherwise passes on answer and exit status', () =>
  withProject(async (project) => {
    const { root } = project
    const bin = join(root, '.home/bin')
    const ran = (event: string, path: string) =>
      nodeProcesses.run('/bin/sh', ['-c', hookCommand('claude', event)], {
        cwd: root,
        env: { PATH: path },
        input: '{}',
        timeoutMs: 60_000,
        maxBytes: 1000,
        keep: 'output',
      })
    expect(await ran('PreToolUse', '/nowhere')).toMatchObject({ code: 0, tail: '' })
    expect(await ran('SessionStart', '/nowhere')).toMatchObject({
      code: 0,
      tail: expect.stringContaining('not on PATH'),
    })
    program(root, 'cleo', 'echo "$*"; exit 2')
    expect(await ran('PreToolUse', bin)).toMatchObject({ code: 2, tail: 'hook claude PreToolUse\n' })
  }))
