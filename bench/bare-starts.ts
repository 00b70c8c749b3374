import { bun } from '../src/host/bun.ts'
import { startProgram } from '../src/host/node-started-program.ts'
import { runWithBun } from '../src/host/run-with-bun.ts'

// The least that a run has to do: start git and an agent for each task. A round stands for one task. In each round,
// starts `count` git processes, then one program with pipes in place of the agent. Starts them with the same functions
// as the driver of a run. Prints the time of day after the first round and after the last one.
const [, , git = '', folder = '', count = '', rounds = ''] = process.argv
const options = {
  ...{ cwd: folder, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' }, input: '', timeoutMs: 30_000 },
  ...{ maxBytes: 1 << 20, keep: 'output' as const, keepErrors: true as const },
}
/** Starts `cat` as the driver starts the watcher of an agent. Waits until `cat` has printed one line and ended. */
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
