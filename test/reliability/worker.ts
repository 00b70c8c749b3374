import { writeSync } from 'node:fs'
import { claimInRounds } from './claim-in-rounds.ts'
import { writeMany } from './write-many.ts'
import { writeUntilAsked } from './write-until-asked.ts'
import { writeUntilKilled } from './write-until-killed.ts'

/** The process a test starts, and kills: does one job and tells each step on standard output at once. */
const jobs = { claimInRounds, writeMany, writeUntilAsked, writeUntilKilled }
export type Jobs = typeof jobs

const [job, options] = process.argv.slice(2) as [keyof Jobs, string]
// Not through a stream: what was told before a kill has to be in the pipe already.
const tell = (message: unknown) => writeSync(1, `${JSON.stringify(message)}\n`)
await jobs[job](JSON.parse(options), tell)
