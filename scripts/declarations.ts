import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { run } from './compile.ts'

const root = join(import.meta.dirname, '..')
const signatures = 'perform/signatures'

/**
 * Writes the types of the library: index.d.ts and the declarations it reaches. The types of the operations follow from
 * their valibot schemas, but are written out as plain objects, so that a caller needs no valibot to read them.
 */
export const declareLibrary = (folder: string): void => {
  const work = join(folder, 'work')
  mkdirSync(work, { recursive: true })
  writeFileSync(
    join(work, 'tsconfig.json'),
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        declaration: true,
        emitDeclarationOnly: true,
        rewriteRelativeImportExtensions: true,
        rootDir: root,
        outDir: 'out',
      },
      include: [],
      files: ['written-out.ts', join(root, 'src', 'index.ts')],
    }),
  )
  writeFileSync(join(work, 'written-out.ts'), writtenOut(relative(work, root)))
  run('tsc', '--project', work)
  const out = join(work, 'out')
  const declarations = new Map<string, string>()
  const take = (module: string): void => {
    if (declarations.has(module)) return
    const text = module === signatures ? asInterface(out, work) : read(join(out, 'src', `${module}.d.ts`))
    declarations.set(module, text)
    for (const [, path = ''] of text.matchAll(importedPath)) {
      if (path.startsWith('node:')) continue
      if (!path.startsWith('.')) throw new Error(`The type of ${module}.ts needs the package ${path}`)
      take(join(dirname(module), path).slice(0, -'.js'.length))
    }
  }
  take('index')
  rmSync(work, { recursive: true })
  for (const [module, text] of declarations) {
    const path = join(folder, `${module}.d.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/**
 * Declares a value whose type is made from `Signatures`. A value is needed, because TypeScript prints the type of a
 * value in full. For a named type, it prints only the name.
 */
const writtenOut = (toRoot: string) => `import type { Signatures } from '${toRoot}/src/${signatures}.ts'
type Fields<T> = T extends infer O ? { [K in keyof O]: O[K] } : never
type WrittenOut<T> = T extends infer O ? { [N in keyof O]: { [K in keyof O[N]]: Fields<O[N][K]> } } : never
declare const writtenOut: <T>() => WrittenOut<T>
export const value = writtenOut<Signatures>()
`

const importedPath = /(?:from |import\()['"]([^'"]+)['"]/g

/** Reads emitted declarations. Their imports name source files, so `.ts` is replaced by `.js`. */
const read = (path: string): string =>
  readFileSync(path, 'utf8').replace(importedPath, (whole) => whole.replace(/\.ts(['"])$/, '.js$1'))

const asInterface = (out: string, work: string): string => {
  const text = read(join(out, relative(root, work), 'written-out.d.ts'))
  return text
    .replace('export declare const value: {', 'export interface Signatures {')
    .replace(/\};\s*$/, '}\n')
    .replaceAll(/import\("[./]*\/src\//g, 'import("../')
}
