import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { data, type Runtime, run } from '../support/cleo.ts'
import { together, withTemp } from '../support/temp.ts'
import { manifestOf, manifestState, projectForEntries, twice, without } from './manifest-state.ts'
import { lineFor } from './manifest-worker.ts'
import { startHandingIn } from './start-handing-in.ts'

export interface ShellsOptions {
  shells: number
  lines: number
  /**
   * How many processes submit entries by command and ingest lines while the shells write. Each process submits at
   * least `entries` entries.
   */
  appenders: number
  entries: number
  reader: Runtime
}

/** Lets shells write to the manifest with `echo >>` while other processes append by command and ingest lines. */
export const shellsAndAppenders = ({
  shells,
  lines,
  appenders,
  entries,
  reader,
}: ShellsOptions): Promise<void> =>
  withTemp(async (project) => {
    await projectForEntries(project)
    const workers = Array.from({ length: appenders }, (_, i) => handingIn(project, i, entries))
    const ended = Promise.all(workers.map((worker) => worker.ended))
    // If a worker fails before it has begun, its `begun` never settles, so wait for `ended` too.
    await Promise.race([Promise.all(workers.map(({ begun }) => begun)), ended])
    await together(Array.from({ length: shells }, (_, i) => echoing(manifestOf(project), `shell${i}`, lines)))
    for (const worker of workers) worker.finish()
    const told = await ended
    data(run(reader, ['manifest', 'sync', '--json'], { cwd: project }))

    const found = manifestState(project)
    const written = Array.from({ length: shells }, (_, i) =>
      Array.from({ length: lines }, (_, n) => `T001-shell${i}-${n}`),
    ).flat()
    const kept = told.flatMap((each) => each.kept)
    console.log(
      `shells: ${shells} × ${lines} lines, ${kept.length} entries handed in, ${found.table.length} in the table`,
    )
    expect(told.flatMap((each) => each.refused)).toEqual([])
    expect(without([...written, ...kept], found.table), 'nothing that was written is lost').toEqual([])
    expect(without(written, found.file), 'no line is lost from the file').toEqual([])
    expect(without(found.table, found.file), 'every entry of the table has a line').toEqual([])
    expect(found.table).toHaveLength(shells * lines + kept.length)
    expect(twice(found.file).length, 'no line is written twice').toBe(0)
    expect(found.quarantined, 'nothing is in quarantine').toEqual([])
  })

/** Starts a process that has submitted some entries before the shells begin. */
const handingIn = (project: string, i: number, entries: number) => {
  const begun = Promise.withResolvers<void>()
  const options = { project, name: `worker${i}`, seed: i, entries, syncs: true, untilAsked: true }
  let kept = 0
  const worker = startHandingIn(options, (said) => {
    if ('kept' in said && ++kept === 5) begun.resolve()
  })
  return { ...worker, begun: begun.promise }
}

const echoing = (manifest: string, name: string, lines: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const [before, after] = lineFor(`T001-${name}-@`).split('@') as [string, string]
    const script = 'for ((i = 0; i < $3; i++)); do echo "$1$i$2" >> "$4"; done'
    const child = spawn('bash', ['-c', script, 'bash', before, after, String(lines), manifest], {
      stdio: 'ignore',
    })
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`a shell ended with ${code}`))))
  })
