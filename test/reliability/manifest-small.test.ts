import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openProject } from '../../src/index.ts'
import { fromSource } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { killAppenders } from './manifest-kills.ts'
import { shellsAndAppenders } from './manifest-shells.ts'
import { manifestOf, manifestState, projectForEntries } from './manifest-state.ts'
import { lineFor } from './manifest-worker.ts'

// At a size that is enough to notice what a patch of test/mutants breaks. Here they must pass.
test('manifest kills', () => killAppenders({ kills: 48, lanes: 3, seed: 5, reader: fromSource }))
test('shells and appenders', () =>
  shellsAndAppenders({ shells: 4, lines: 1000, appenders: 2, entries: 80, reader: fromSource }))
test('slow writer', () =>
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
