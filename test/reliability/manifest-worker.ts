import { appendFileSync, writeSync } from 'node:fs'
import { nodeHost } from '../../src/host/node-host.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import { random } from './random.ts'
import { telling } from './write-until-killed.ts'

export interface HandInOptions {
  project: string
  name: string
  seed: number
  /** How many entries the process submits. Without it, the process never ends. */
  entries?: number
  /** Whether the process continues after `entries` until its input ends. */
  untilAsked?: boolean
  /** Whether the process also runs `manifest sync` now and then. */
  syncs?: boolean
  /** The number of the statement or transaction step at which the process kills itself with SIGKILL. */
  diesAt?: number
}

export type HandedIn = { kept: string } | { refused: string } | { calling: true }

export const lineFor = (id: string): string =>
  JSON.stringify({
    ...{ id, file: 'T001-x.md', title: 'x', date: '2026-01-01', status: 'complete' },
    ...{ agent_type: 'analysis', key_findings: ['It holds.'] },
  })

/**
 * Submits entries by command and as lines written by hand, which a later command ingests. Reports each entry once it is
 * written.
 */
const handIn = async (options: HandInOptions, tell: (said: HandedIn) => void): Promise<void> => {
  const { project, name, seed, entries = Number.POSITIVE_INFINITY, diesAt } = options
  let left = diesAt ?? Number.POSITIVE_INFINITY
  const moment = () => {
    if (--left === 0) process.kill(process.pid, 'SIGKILL')
  }
  const connection = connect({ host: nodeHost(), named: project, wait: 'retry' })
  const store = telling(await connection.store(), moment, moment)
  const call = async (name: string, input: object) => {
    const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
    return perform((await load(name))!, input, { ...connection, store: async () => store }, caller)
  }
  const chance = random(seed)
  const manifest = `${project}/claudedocs/agent-outputs/MANIFEST.jsonl`
  await load('pipeline.manifest.append')
  tell({ calling: true })
  let asked = !options.untilAsked
  if (!asked) process.stdin.on('end', () => (asked = true)).resume()
  for (let i = 0; i < entries || !asked; i++) {
    const id = `T001-${name}-${i}`
    // Write the first entry by hand and the second by command, so that every process has a line to ingest and a line to
    // write.
    const way = i === 0 ? 0 : i === 1 ? 2 : chance.below(8)
    if (way < 2) appendFileSync(manifest, `${lineFor(id)}\n`)
    const answer =
      way < 2
        ? { ok: true as const }
        : await call('pipeline.manifest.append', { id, task: 'T001', status: 'complete', file: 'T001-x.md' })
    tell(answer.ok ? { kept: id } : { refused: answer.code })
    if (options.syncs && i % 40 === 39) await call('pipeline.manifest.sync', {})
    // Gives Node time to notice the end of the input.
    if (!asked) await new Promise((resolve) => setImmediate(resolve))
  }
  await connection.close()
}

const isMain = process.argv[1]?.endsWith('manifest-worker.ts')
if (isMain)
  // Write without a stream. A kill would lose what a stream has not yet written to the pipe.
  await handIn(JSON.parse(process.argv[2]!) as HandInOptions, (said) => {
    writeSync(1, `${JSON.stringify(said)}\n`)
  })
