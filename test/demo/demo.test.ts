import { expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

test('[RUN-1] the demo drives an epic: red tests, a lazy agent sent back, a conflict solved, landed and green', () =>
  withTemp(async (folder) => {
    const env = { TMPDIR: folder, CLEO_FORMAT: 'human' }
    const { exit, stdout, stderr } = run(executable, ['demo'], { cwd: folder, env })
    expect({ exit, stderr }, stdout).toEqual({ exit: 0, stderr: '' })
    const order = [
      /\$ sh test\.sh\nnot ok: (.*\n)+?0 passed, 1 failed\n\[exit 1\]/,
      /T002\.1 {2}started (.*\n)+?.* T002\.1 {2}submitted\n.* T002 {4}merged/,
      /T003\.1 {2}failed .*claimed success with nothing/,
      /T00[34]\.\d {2}failed .*merge conflict/,
      /R001 finished: 3 tasks merged, 2 retries/,
      /\$ sh test\.sh\n(ok: .*\n){3}3 passed, 0 failed\n/,
      /Look around in .*\/shop:/,
    ]
    for (const spawn of ['T003.1', 'T004.1']) expect(stdout).toContain(`${spawn}  started `)
    let rest = stdout
    for (const step of order) {
      const found = step.exec(rest)
      expect(found, `${step} in\n${rest}`).not.toBeNull()
      rest = rest.slice(found!.index)
    }
  }))
