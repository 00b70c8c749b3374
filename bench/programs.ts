import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleForNode, compile, compileCleo } from '../scripts/compile.ts'

export interface Programs {
  cleo: string
  empty: string
  insert: string
  node: { cli: string; empty: string }
}

/**
 * Builds all programs again, side by side: an executable that was written long ago starts a tenth slower than a fresh
 * copy, and that must not be measured.
 */
export const withPrograms = async <T>(work: (programs: Programs) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'cleo-bench-programs-'))
  const at = (name: string) => join(folder, name)
  try {
    bundleForNode(at('node'))
    writeFileSync(at('node/package.json'), '{ "type": "module" }')
    writeFileSync(at('node/empty.js'), '')
    compileCleo(at('cleo'))
    compile('bench/empty.ts', at('empty'))
    compile('bench/bare-insert.ts', at('insert'))
    return await work({
      cleo: at('cleo'),
      empty: at('empty'),
      insert: at('insert'),
      node: { cli: at('node/cli.js'), empty: at('node/empty.js') },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
