import { bun } from '../src/host/bun.ts'
import { runWithBun } from '../src/host/run-with-bun.ts'

// Measures the least time that starting git takes. Starts git as often as the driver of a run does, by the same
// call, and does nothing else. Prints the time after the first round and after the last one.
const [, , git = '', folder = '', count = '', rounds = ''] = process.argv
const options = {
  ...{ cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }, input: '', timeoutMs: 30_000 },
  ...{ maxBytes: 1 << 20, keep: 'output' as const, keepErrors: true as const },
}
for (let round = 0; round < Number(rounds); round++) {
  for (let n = 0; n < Number(count); n++) {
    const ran = await runWithBun(bun!, git, ['rev-parse', '--verify', 'HEAD'], options)
    if (ran.end !== 'exited' || ran.code !== 0) throw new Error(`git: ${ran.end}`)
  }
  if (round === 0 || round === Number(rounds) - 1) console.log(Date.now())
}
