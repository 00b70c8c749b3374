import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withTemp } from '../support/temp.ts'

const root = join(import.meta.dirname, '..', '..')

/** Compares the types that the build wrote with those of the schemas. This takes as long as checking all sources. */
const comparison = `
  import type { Signatures as Packed } from '${root}/dist/types/perform/signatures.js'
  import type { Signatures as Source } from '${root}/src/perform/signatures.ts'
  type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
  type Different = {
    [N in keyof Packed | keyof Source]: N extends keyof Packed & keyof Source
      ? Same<Packed[N], Source[N]> extends true ? never : N
      : N
  }[keyof Packed | keyof Source]
  export const different: Different[] = ['none']`

test('[OPS-4] the types in the package are those of the schemas', () =>
  withTemp((folder) => {
    writeFileSync(join(folder, 'comparison.mts'), comparison)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { typeRoots: [join(root, 'node_modules', '@types')] },
        include: ['comparison.mts'],
      }),
    )
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const { stdout } = spawnSync(tsc, ['--project', folder], { encoding: 'utf8' })
    // The only error lists the operations that differ. There are none, so the type is `never`.
    expect(stdout.replace(/^.*?: error /, '')).toBe(
      "TS2322: Type 'string' is not assignable to type 'never'.\n",
    )
  }))
