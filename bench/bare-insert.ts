import { DatabaseSync } from 'node:sqlite'

// The least that a writing command has to do: open a database, insert a row, sync it to disk.
const database = new DatabaseSync(process.argv[2]!)
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
database.exec('CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY, text TEXT)')
database.prepare('INSERT INTO rows (text) VALUES (?)').run('a row')
process.exit(0)
