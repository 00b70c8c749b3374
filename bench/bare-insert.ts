import { DatabaseSync } from 'node:sqlite'
import { write } from '../src/host/standard-streams.ts'

// Does only what every writing command has to do. Opens a database as large as the database of the project. Inserts
// rows in one transaction, which is synced to disk. Writes a line.
const [, , path = '', rows = '1'] = process.argv
const database = new DatabaseSync(path)
database.exec('PRAGMA synchronous = FULL; BEGIN IMMEDIATE')
const insert = database.prepare('INSERT INTO bare (title, description, parent) VALUES (?, ?, ?)')
for (let n = 0; n < Number(rows); n++)
  insert.run(`Task number ${n} of the plan`, `What is to be done in step ${n}, in a sentence or two.`, 'T001')
database.exec('COMMIT')
write(1, 'inserted\n')
process.exit(0)
