import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../test/support/postgres-server.ts'
import { ratio } from './measure.ts'
import type { Programs } from './programs.ts'
import { placeProject } from './projects.ts'
import type { Row } from './table.ts'
import { bareRead, enter, type Place, ready, say, show } from './trials.ts'

const rounds = 40
const writers = 8
const writes = 100

/** Measures the same project in SQLite and in PostgreSQL, in turn and on one machine. */
export const besidePostgres = async (programs: Programs, tasks: number): Promise<Row[]> => {
  const server = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'cleo-bench-stores-'))
  try {
    const [file, moved] = [join(folder, 'sqlite'), join(folder, 'postgres')]
    await placeProject(tasks, file)
    await placeProject(tasks, moved)
    const sqlite = enter(programs, file, tasks)
    const personAt = (home: string) => ({
      PATH: sqlite.env['PATH']!,
      HOME: join(home, '.home'),
      USER: 'bench',
    })
    const address = await server.database('bench')
    // `db move` records that this user trusts the address. The record is below HOME. So set HOME to the home folder of
    // the moved project.
    say(programs, { ...sqlite, folder: moved, env: personAt(moved) }, 'db', 'move', '--to', address)
    const postgres = enter(programs, moved, tasks)

    const [floor, shown, fromFile, fromServer] = programs.clock.interleave(
      [
        bareRead(programs, sqlite),
        show(programs, postgres),
        ready(programs, sqlite),
        ready(programs, postgres),
      ],
      rounds,
    )
    const inFile = await writeTogether(file, personAt(file))
    const onServer = await writeTogether(moved, personAt(moved))
    return [
      { name: 'show on PostgreSQL / bare read', values: [ratio(shown, floor).wall] },
      { name: 'ready on PostgreSQL / on SQLite', values: [ratio(fromServer, fromFile).wall] },
      { name: '8 writers on PostgreSQL / on SQLite', values: [onServer / inFile] },
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts several processes at once, each with its own connection, and returns how long they take to write. */
const writeTogether = async (folder: string, env: Place['env']): Promise<number> => {
  const start = performance.now()
  const worker = join(import.meta.dirname, 'writer.ts')
  await Promise.all(
    Array.from({ length: writers }, (_, n) => {
      const child = spawn(process.execPath, [worker, folder, `writer-${n}`, String(writes)], { env })
      return new Promise<void>((resolve, reject) => {
        child.on('error', reject)
        child.on('close', (code) =>
          code === 0 ? resolve() : reject(new Error(`a writer ended with ${code}`)),
        )
      })
    }),
  )
  return performance.now() - start
}
