import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the demo shows parallel work: a refused return, two agents at once, a solved conflict, landed and green', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'demo.ts')], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const order = [
    /\$ cleo ready T001\n.*\n○ T002 .*\n○ T003 /,
    /\$ cleo spawn T002 --explain\nT002\.1 (.*\n)+? {2}left for the work /,
    /\$ cleo spawn T003 --ref\nT003\.1 /,
    /\$ cleo worktree list\nT002\.1 .* cleo\/T002\.1 .*\n.*\nT003\.1 .* cleo\/T003\.1 .*\n.*\ncleo\/T001 → main\n/,
    /T002\.1 \$ cleo verify T002 --gate testsPassed --evidence tool:test --as T002\.1\n.*does not prove testsPassed(.*\n)+?.*# fail 1\n/,
    /\$ cleo receive T002 .*\nT002\.1 claims to be done, but submitted no manifest entry\.\n(.*\n)+?\[exit 62\]/,
    /\$ cleo respawn T002 --ref\nT002\.2 /,
    /# Now two honest subagents work at the same time/,
    /\$ cleo receive T002 .*\n✓ T002 complete · merged into cleo\/T001 \(1 commit\)/,
    /\$ cleo receive T003 .*\nT003 conflicts with T002 in src\/shop\.js\. Its work is safe on cleo\/T003\.1\.\n.*\n\[exit 23\]/,
    /\$ cleo respawn T003 --ref\nT003\.2 /,
    /### Last Attempt\n.*it conflicts with the merged work of T002/,
    /T003\.2 ✓ T003 submitted/,
    /\$ cleo receive T003 .*\n✓ T003 complete · merged into cleo\/T001 \(1 commit\)/,
    /\$ cleo land T001\n✓ cleo\/T001 → main: 2 commits, 2 tasks; npm test: 4 passed/,
    /\$ npm test --silent\n# tests 4\n# pass 4\n# fail 0\n/,
    /✓ 2 of 2 tasks below T001 follow their protocols/,
    /What you saw\n {2}1 epic, 2 tasks side by side, 4 subagents/,
  ]
  let rest = stdout
  for (const step of order) {
    const found = step.exec(rest)
    expect(found, `${step} in what is left`).not.toBeNull()
    rest = rest.slice(found!.index + found![0].length)
  }
  const atOnce = stdout.slice(
    stdout.indexOf('# Now two honest'),
    stdout.indexOf('# The first one comes home'),
  )
  for (const spawn of ['T002.2', 'T003.1'])
    expect(atOnce).toContain(`${spawn} ✓ ${spawn.slice(0, 4)} submitted; waits for receive`)
  expect(atOnce).toMatch(
    / {2}focus, manifest entry, output file, implemented, testsPassed, qaPassed, criterion 1\n/,
  )
})
