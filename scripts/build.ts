import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundleForNode, compileCleo } from './compile.ts'
import { declareLibrary } from './declarations.ts'
import { licenses } from './licenses.ts'

const dist = join(import.meta.dirname, '..', 'dist')

rmSync(dist, { recursive: true, force: true })
const modules = bundleForNode(dist)
writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.md'), licenses(modules))
declareLibrary(join(dist, 'types'))
compileCleo(join(dist, 'cleo'))
