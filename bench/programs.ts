import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleForNode, compile, compileCleo } from '../scripts/compile.ts'
import { type Clock, clockAt } from './measure.ts'

export interface Programs {
  clock: Clock
  cleo: string
  empty: string
  line: string
  read: string
  readWithGit: string
  insert: string
  starts: string
  node: { cli: string; empty: string }
  /** Megabytes of the executable, and of an empty one built the same way. */
  size: { cleo: number; empty: number }
}

/**
 * Builds all programs anew, so that all are equally fresh: an executable file that was written long ago starts a tenth
 * slower than a new one, and this difference must not be measured.
 */
export const withPrograms = async <T>(work: (programs: Programs) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'cleo-bench-programs-'))
  const at = (name: string) => join(folder, name)
  const megabytes = (name: string) => statSync(at(name)).size / 1e6
  compactMemory()
  try {
    compileClock(at('clock'))
    bundleForNode(at('node'))
    writeFileSync(at('node/package.json'), '{ "type": "module" }')
    writeFileSync(at('node/empty.js'), '')
    compileCleo(at('cleo'))
    compile('bench/empty.ts', at('empty'))
    compile('bench/bare-line.ts', at('line'))
    compile('bench/bare-read.ts', at('read'))
    compile('bench/bare-read-with-git.ts', at('read-with-git'))
    compile('bench/bare-insert.ts', at('insert'))
    compile('bench/bare-starts.ts', at('starts'))
    return await work({
      clock: clockAt(at('clock')),
      cleo: at('cleo'),
      empty: at('empty'),
      line: at('line'),
      read: at('read'),
      readWithGit: at('read-with-git'),
      insert: at('insert'),
      starts: at('starts'),
      node: { cli: at('node/cli.js'), empty: at('node/empty.js') },
      size: { cleo: megabytes('cleo'), empty: megabytes('empty') },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Joins the small pieces of free memory into large ones, if the benchmark runs as root on Linux. With small pieces,
 * large executables would start slower than small ones.
 */
const compactMemory = (): void => {
  try {
    spawnSync('sync')
    writeFileSync('/proc/sys/vm/drop_caches', '3')
    writeFileSync('/proc/sys/vm/compact_memory', '1')
  } catch {
    console.error('The memory of the machine was not compacted, because that needs root on Linux.')
  }
}

const compileClock = (target: string): void => {
  const source = join(import.meta.dirname, 'clock.c')
  const { status, stderr, error } = spawnSync('cc', ['-O2', '-o', target, source], { encoding: 'utf8' })
  if (error) throw new Error(`The clock of the bench needs a C compiler, cc: ${error.message}`)
  if (status !== 0) throw new Error(stderr)
}
