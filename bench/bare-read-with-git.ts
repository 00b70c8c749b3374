import { DatabaseSync } from 'node:sqlite'
import { bun } from '../src/host/bun.ts'
import { runWithBun } from '../src/host/run-with-bun.ts'
import { write } from '../src/host/standard-streams.ts'

// The least that a command has to do if its answer depends on git: start the git processes, read a row of the project's
// database while git runs, and write a line.
const [, , path = '', id = '', git = '', commands = ''] = process.argv
const options = {
  ...{
    cwd: process.cwd(),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
    input: '',
    timeoutMs: 30_000,
  },
  ...{ maxBytes: 1 << 20, keep: 'output' as const },
}
const started = (JSON.parse(commands) as string[][]).map((args) => runWithBun(bun!, git, args, options))
const row = new DatabaseSync(path).prepare('SELECT title FROM tasks WHERE id = ?').get(id)
for (const ran of await Promise.all(started))
  if (ran.end !== 'exited' || ran.code !== 0) throw new Error(`git: ${ran.end}`)
write(1, `${row!['title']}\n`)
process.exit(0)
