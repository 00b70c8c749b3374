import { bun } from '../src/host/bun.ts'
import { startProgram } from '../src/host/node-started-program.ts'
import { runWithBun } from '../src/host/run-with-bun.ts'

// Measures the least time that starting git and an agent takes. In each round, starts git as often as the driver of a
// run does for a task, and one program with pipes, by the same calls, and does nothing else. Prints the time after the
// first round and after the last one.
const [, , git = '', folder = '', count = '', rounds = ''] = process.argv
const options = {
  ...{ cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }, input: '', timeoutMs: 30_000 },
  ...{ maxBytes: 1 << 20, keep: 'output' as const, keepErrors: true as const },
}
/** Starts `cat` as the driver starts the watcher of an agent, writes one line to it and waits for the line. */
const startAgent = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const listeners = { output: () => undefined, exited: () => undefined, closed: resolve }
    startProgram('/bin/cat', [], { ...{ cwd: folder, env: options.env }, withoutErrors: true, ...listeners })
      .then((started) => {
        if ('reason' in started) return reject(new Error(started.reason))
        started.write('{}\n')
        started.closeInput()
      })
      .catch(reject)
  })

for (let round = 0; round < Number(rounds); round++) {
  for (let n = 0; n < Number(count); n++) {
    const ran = await runWithBun(bun!, git, ['rev-parse', '--verify', 'HEAD'], options)
    if (ran.end !== 'exited' || ran.code !== 0) throw new Error(`git: ${ran.end}`)
  }
  await startAgent()
  if (round === 0 || round === Number(rounds) - 1) console.log(Date.now())
}
