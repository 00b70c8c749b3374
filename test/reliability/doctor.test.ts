import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, type Ran, start } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { firstTasks } from './many-writers.ts'
import { startWorker } from './start-worker.ts'

test('[PROJ-6] doctor finds no problems while eight processes write, and does not block them', () =>
  withTemp(async (home) => {
    const project = join(home, 'live')
    mkdirSync(project)
    const newest = await firstTasks(project)
    let acknowledged = 0
    let busy = 0
    const crew = Array.from({ length: 8 }, (_, i) =>
      startWorker('writeUntilAsked', { project, name: `writer-${i}`, seed: 50 + i, newest }, (told) => {
        if ('acknowledged' in told) acknowledged++
        else if (told.refused === 7) busy++
      }),
    )
    const ended = Promise.all(crew.map((worker) => worker.ended))
    ended.catch(() => undefined)
    const looks: Ran[] = []
    try {
      // Wait for writes between two runs of doctor, however long the writers take to start.
      while (looks.length < 8 || acknowledged < 400) {
        const before = acknowledged
        looks.push(await start(executable, ['doctor'], { cwd: project }))
        while (acknowledged < before + 20) await new Promise((resolve) => setTimeout(resolve, 5))
      }
    } finally {
      for (const worker of crew) worker.finish()
      await ended
    }
    console.log(`doctor: ${looks.length} looks during ${acknowledged} writes, ${busy} refused as busy`)
    expect(looks.filter(({ exit }) => exit !== 0)).toEqual([])
    expect(busy).toBe(0)
  }))
