import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { withTemp } from '../support/temp.ts'

/** Creates and removes a folder with a file, again and again, until the flag is set. */
const toggling = `
  const { mkdirSync, rmSync, writeFileSync } = require('node:fs')
  const { flag, folder } = require('node:worker_threads').workerData
  while (Atomics.load(flag, 0) === 0) {
    mkdirSync(folder)
    writeFileSync(folder + '/HEAD', 'ref: refs/heads/main')
    Atomics.add(flag, 1, 1)
    rmSync(folder, { recursive: true })
  }
`

test('[TREE-4] a record of a worktree that another process removes while it is read counts as missing', () =>
  withTemp(async (root) => {
    const { files } = nodeHost()
    const folder = join(root, 'record')
    const head = join(folder, 'HEAD')
    const flag = new Int32Array(new SharedArrayBuffer(8))
    const worker = new Worker(toggling, { eval: true, workerData: { flag, folder } })
    const ended = new Promise<number>((resolve, reject) => worker.on('error', reject).on('exit', resolve))
    const seen = new Set<unknown>()
    try {
      for (let rounds = 0; rounds < 4000 || Atomics.load(flag, 1) < 300; rounds++) {
        seen.add(files.read(head)).add(files.list(folder).join()).add(files.realPath(folder))
        // Lets an error of the worker end the test.
        if (rounds % 1000 === 0) await Promise.race([ended, new Promise(setImmediate)])
      }
    } finally {
      Atomics.store(flag, 0, 1)
    }
    expect(await ended).toBe(0)
    const known = [undefined, '', 'ref: refs/heads/main', 'HEAD', folder]
    expect([...seen].filter((each) => !known.includes(each as string))).toEqual([])
  }))

test('[PROV-2] a file that cannot be replaced leaves no draft beside it', () =>
  withTemp(async (root) => {
    const { files } = nodeHost()
    mkdirSync(join(root, 'taken'))
    expect(() => files.replace(join(root, 'taken'), 'text', 0o600)).toThrow('Cannot write')
    expect(readdirSync(root)).toEqual(['taken'])
  }))
