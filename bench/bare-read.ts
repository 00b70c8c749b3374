import { DatabaseSync } from 'node:sqlite'
import { write } from '../src/host/standard-streams.ts'

// The least that a reading command has to do: open the project's database, read a row, and write a line.
const [, , path = '', id = ''] = process.argv
const row = new DatabaseSync(path).prepare('SELECT title FROM tasks WHERE id = ?').get(id)
write(1, `${row!['title']}\n`)
process.exit(0)
