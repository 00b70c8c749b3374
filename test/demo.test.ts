import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('the demo shows the whole loop: failing tests, a refused return, real work accepted, passing tests', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('scripts', 'demo.ts')], {
    cwd: join(import.meta.dirname, '..'),
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const order = [
    /\$ npm test --silent\n# tests 1\n# pass 0\n# fail 1\n\[exit 1\]/,
    /\$ cleo spawn T002 --ref\nT002\.1 /,
    /T002\.1 \$ cleo verify T002 --gate testsPassed --evidence tool:test --as T002\.1\n.*does not prove testsPassed/,
    /\$ cleo receive T002 .*\nT002\.1 claims to be done, but submitted no manifest entry\.\n(.*\n)+?\[exit 62\]/,
    /\$ cleo respawn T002 --ref\nT002\.2 /,
    /T002\.2 ✓ T002 done .*\n.* implemented, testsPassed, qaPassed, criterion 1\n/,
    /\$ cleo receive T002 .*\n✓ T002 complete/,
    /\$ cleo receive T003 .*\n✓ T003 complete/,
    /\$ npm test --silent\n# tests 4\n# pass 4\n# fail 0\n/,
    /\$ cleo manifest list\nT003-add-up-a-cart /,
    /✓ 2 of 2 tasks below T001 follow their protocols/,
    /What you saw\n {2}1 epic, 2 tasks, 2 waves, 3 subagents/,
  ]
  let rest = stdout
  for (const step of order) {
    const found = step.exec(rest)
    expect(found, `${step} in what is left`).not.toBeNull()
    rest = rest.slice(found!.index + found![0].length)
  }
})
