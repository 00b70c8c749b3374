import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { openProject } from '../../src/index.ts'
import { connect } from '../../src/perform/connection.ts'
import { load } from '../../src/perform/generated/load.ts'
import { perform } from '../../src/perform/perform.ts'
import type { Store } from '../../src/store/port.ts'
import { builtOrSource } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { killAppenders } from './manifest-kills.ts'
import { shellsAndAppenders } from './manifest-shells.ts'
import { manifestOf, manifestState, projectForEntries } from './manifest-state.ts'
import { lineFor } from './manifest-worker.ts'

// These tests also run with patches of test/mutants, and then use the sources. `npm run test:long` has the larger
// counts.
test('[MANI-1] 48 kill -9 around append: file and table agree after the next command, no acknowledged entry is lost', () =>
  killAppenders({ kills: 48, lanes: 3, seed: 5, reader: builtOrSource }))
test('[MANI-2] 4 shells × 1,000 echo >> beside appends and ingest: all of it is in the table', () =>
  shellsAndAppenders({ shells: 4, lines: 1000, appenders: 2, entries: 80, reader: builtOrSource }))
test('[MANI-2] a line that comes in parts is one entry', () =>
  withTemp(async (project) => {
    await projectForEntries(project)
    const opened = openProject({ project, as: 'ada' })
    const text = `${lineFor('T001-slow')}\n`
    for (const part of [text.slice(0, 30), text.slice(30, 60), text.slice(60)]) {
      appendFileSync(manifestOf(project), part)
      await opened.call('pipeline.manifest.sync', {})
    }
    await opened.close()
    expect(manifestState(project).table, 'a line that comes in parts is one entry').toEqual(['T001-slow'])
  }))
test('[MANI-1] an append during a sync writes its line once', () =>
  withTemp(async (project) => {
    await projectForEntries(project)
    const other = openProject({ project, as: 'ada' })
    const entry = { task: 'T001', file: 'T001-x.md', status: 'complete' as const }
    await other.call('pipeline.manifest.append', { ...entry, id: 'T001-before' })
    const connection = connect({ host: nodeHost(), named: project, wait: 'retry' })
    const store = await connection.store()
    let appended = false
    // At this point, the file has been read and the table has not.
    const all: Store['all'] = async (sql, ...params) => {
      if (sql.includes('seq > ?') && !appended) {
        appended = true
        await other.call('pipeline.manifest.append', { ...entry, id: 'T001-meanwhile' })
      }
      return store.all(sql, ...params)
    }
    const caller = { actor: { id: 'ada', agent: false }, dryRun: false }
    const sync = (await load('pipeline.manifest.sync'))!
    await perform(sync, {}, { ...connection, store: async () => ({ ...store, all }) }, caller)
    await connection.close()
    await other.close()
    expect(appended).toBe(true)
    expect(manifestState(project).file, 'no line is written twice').toEqual(['T001-before', 'T001-meanwhile'])
  }))
