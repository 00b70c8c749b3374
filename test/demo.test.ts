import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the demo walks an epic from plan to done, shows its refusals and ends with a summary', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'demo.ts')], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('T002 → T005 → T004 → T002 would be a cycle')
  expect(stdout).toContain('wave 3  T005 Sign-in page')
  expect(stdout).toMatch(
    /\$ cleo focus set T002 --as codex-1\nT002 is claimed by T002.1 .*\n(.*\n)+?\[exit 35\]/,
  )
  expect(stdout).toMatch(/ {2}skill ct-research-agent +\d+ +of 15000 +standard/)
  expect(stdout).toMatch(/ {2}left to work in +\d+ +of 100000/)
  expect(stdout).toContain('## Task Context')
  expect(stdout).toContain('also done: T001')
  expect(stdout.split('What you saw')[1]).toContain('1 epic, 4 tasks, 3 waves, 2 agents')
})
