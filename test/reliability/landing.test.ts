import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { inGit, merged } from '../support/landing.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { git } from '../support/subagent.ts'
import { withTemp } from '../support/temp.ts'

/**
 * A `git` that kills the program that called it. It does this at call number `at`, either before or after the real
 * git runs.
 */
const killer = (real: string, calls: string, at: number): string => `#!/bin/sh
echo >> '${calls}'
if [ "$(wc -l < '${calls}')" -eq ${at} ]; then
  ${at % 2 === 0 ? `${real} "$@"` : ':'}
  kill -9 $PPID
  exit 1
fi
exec ${real} "$@"
`

/** Runs `cleo land` and kills it at call number `at` of git. Returns whether it was killed. */
const isKilledAt = ({ root }: TestProject, bin: string, at: number): boolean => {
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim()
  writeFileSync(join(bin, 'git'), killer(real, join(bin, `calls-${at}`), at))
  chmodSync(join(bin, 'git'), 0o755)
  const ran = spawnSync(executable.command[0], ['land', 'T001'], {
    cwd: root,
    env: {
      PATH: `${bin}:${process.env['PATH']}`,
      ...{ HOME: join(root, '.home'), USER: 'ada', CLEO_FORMAT: 'json' },
    },
    encoding: 'utf8',
  })
  if (ran.signal === null && ran.status !== 0) throw new Error(`at ${at}: ${ran.stdout}${ran.stderr}`)
  return ran.signal === 'SIGKILL'
}

test('[TREE-7] land is killed at one call of git after another; the next one finishes or undoes it, and nothing is lost', () =>
  inGit(withProject)(async (project) => {
    const { root } = project
    await merged(project, { 'src/form.ts': 'form\n', 'src/a.ts': 'changed\n', 'docs/b.md': 'b\n' })
    const tip = git(root, 'rev-parse', 'cleo/T001')
    let kills = 0
    // This folder is outside the repository, because CLEO does not run a git program that is in the repository.
    await withTemp(async (bin) => {
      for (let at = 1; isKilledAt(project, bin, at); at++) kills++
    })
    console.log(`land: ${kills} kills`)
    expect(kills).toBeGreaterThan(15)
    expect(git(root, 'rev-parse', 'main')).toBe(tip)
    expect(git(root, 'status', '--porcelain', '--untracked-files=no')).toBe('')
    expect(existsSync(join(root, '.git/index.lock'))).toBe(false)
    expect(git(root, 'branch', '--format=%(refname:short)')).toBe('main')
    expect(readdirSync(join(root, '.git')).filter((name) => name.includes('cleo'))).toEqual([])
    expect(git(root, 'fsck', '--no-dangling')).toBe('')
    const store = await project.store()
    expect(await store.all("SELECT id FROM tasks WHERE merge = 'merged' AND landed_at IS NULL")).toEqual([])
    expect(await store.all('SELECT epic FROM integrations')).toEqual([])
  }))
