import { writeSync } from 'node:fs'
import { claimInRounds } from './claim-in-rounds.ts'
import { writeMany } from './write-many.ts'
import { writeUntilAsked } from './write-until-asked.ts'
import { writeUntilKilled } from './write-until-killed.ts'

/** A process that tests start and kill. It does one job and reports each step on standard output at once. */
const jobs = { claimInRounds, writeMany, writeUntilAsked, writeUntilKilled }
export type Jobs = typeof jobs

const [job, options] = process.argv.slice(2) as [keyof Jobs, string]
// Write without a stream. A kill would lose what a stream has not yet written to the pipe.
const tell = (message: unknown) => writeSync(1, `${JSON.stringify(message)}\n`)
await jobs[job](JSON.parse(options), tell)
