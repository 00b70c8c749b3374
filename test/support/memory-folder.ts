import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const place = '/dev/shm'
/** The space that the folder must have: far more than the files of the tests need at one time. */
const neededBytes = 6e9

/**
 * Puts the files of tests into memory, if this machine has a folder there that has enough space and from which
 * programs may be run. Otherwise tests would spend half of their time waiting until commits are flushed to the
 * disk. No test needs its commits on the disk, because a killed process loses nothing that the operating system has
 * in memory. A TMPDIR that the user chose is kept.
 */
export const useMemory = (): void => {
  if (process.env['TMPDIR'] || !isUsable()) return
  // Hard links to the sources must be on the same file system as the sources.
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
