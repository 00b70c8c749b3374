import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const place = '/dev/shm'
/** Far more than the tests have on the disk at one time. */
const neededBytes = 6e9

/**
 * Lets the files of tests be in memory, if this machine has a folder there with enough room, in which programs may run.
 * Every commit of a project is flushed to the disk, and tests would wait for that half of their time. No test needs it: a
 * killed process loses nothing that the system has in memory. A TMPDIR that the user chose stays.
 */
export const useMemory = (): void => {
  if (process.env['TMPDIR'] || !isUsable()) return
  // Links to the sources cannot lead into another file system.
  process.env['TEST_DISK_FOLDER'] = tmpdir()
  process.env['TMPDIR'] = place
}

const isUsable = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(place)
    if (bavail * bsize < neededBytes || freemem() < neededBytes) return false
    const folder = mkdtempSync(join(place, 'cleo-probe-'))
    try {
      const program = join(folder, 'program')
      writeFileSync(program, '#!/bin/sh\nexit 0\n', { mode: 0o755 })
      return spawnSync(program).status === 0
    } finally {
      rmSync(folder, { recursive: true })
    }
  } catch {
    return false
  }
}
