import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { noClient } from '../support/no-client.ts'
import { withTemp } from '../support/temp.ts'
import { git } from '../support/worktrees.ts'

/** Runs `cleo init` with only these agent clients on PATH. */
const init = (cwd: string, clients: string[], env: Record<string, string> = {}) => {
  const bin = join(cwd, '.bin')
  mkdirSync(bin)
  for (const name of clients) {
    writeFileSync(join(bin, name), '#!/bin/sh\n')
    chmodSync(join(bin, name), 0o755)
  }
  const { stdout, stderr } = run(executable, ['init', '--human'], {
    cwd,
    env: { ...noClient, PATH: bin, ...env },
  })
  return stdout + stderr
}

const packageFile = JSON.stringify({ scripts: { test: 'node --test', lint: 'biome check' } })

test('[PROJ-1] init says what it detected, and three commands to go on with', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'trunk')
    writeFileSync(join(root, 'package.json'), packageFile)
    writeFileSync(join(root, '.gitignore'), 'node_modules/\n')
    git(root, 'add', '-A')
    git(root, 'commit', '-q', '-m', 'Begin')
    const lines = init(root, ['claude', 'codex']).split('\n')
    expect(lines.slice(1)).toEqual([
      '  git: branch trunk',
      '  test: npm test → test: node --test',
      '  lint: npm run lint → lint: biome check',
      '  clients: claude, codex',
      '  trusted: the commands above, because you made this project; see cleo trust',
      '  yours to commit: .cleo/config.json, and later the reports in claudedocs/',
      '  next: cleo quickstart           a first epic in a scratch project',
      '  next: cleo add "…" --type epic  plan your own; or --from plan.md',
      '  next: cleo setup                let Claude Code or another client lead it',
      '',
    ])
  }))

test('[PROJ-1] init says what is missing, and what that means', () =>
  withTemp(async (root) => {
    const text = init(root, [])
    expect(text).toContain(
      '  git: no repository, so agents share this folder; for a branch each: git init && git add -A && git commit -m Begin\n',
    )
    expect(text).toContain('  test, lint: no command found; set one with cleo config set commands.test "…"\n')
    expect(text).toContain('  clients: none on PATH\n')
    expect(text).not.toContain('trusted')
  }))

test('[PROJ-1] a repository without a commit is shown as such', () =>
  withTemp(async (root) => {
    git(root, 'init', '-q', '-b', 'main')
    expect(init(root, [])).toContain(
      '  git: branch main, no commit yet, so agents share this folder; for a branch each: git add -A && git commit -m Begin\n',
    )
  }))

test('[PROJ-8] inside an agent client init shows the commands, trusts none of them and says so', () =>
  withTemp(async (root) => {
    writeFileSync(join(root, 'package.json'), packageFile)
    const text = init(root, ['claude'], { CLAUDECODE: '1' })
    expect(text).toContain('  test: npm test → test: node --test\n')
    expect(text).toContain('warning: an agent ran init, so nothing here is trusted yet')
    expect(text).not.toContain('trusted: the commands above')
    expect(text).toContain('  next: cleo prime\n')
    expect(text).not.toContain('cleo quickstart')
  }))
