import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode, compileCleo, run } from './compile.ts'

const dist = join(import.meta.dirname, '..', 'dist')

rmSync(dist, { recursive: true, force: true })
bundleForNode(dist)
compileCleo(join(dist, 'cleo'))
run('tsc', '--project', 'tsconfig.build.json')
