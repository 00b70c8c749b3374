import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of the development dependencies; what it says on failure ends the script. */
export const run = (program: string, ...args: string[]): void => {
  const path = join(root, 'node_modules', '.bin', program)
  const { status, stdout, stderr, error } = spawnSync(path, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  console.error(error?.message ?? stdout + stderr)
  process.exit(1)
}

/**
 * One executable. The policy puts off compiling hot code, which a short command never earns back. Without the two flags
 * after it, it would obey a bunfig.toml and a .env in whatever folder it runs.
 */
export const compile = (entry: string, target: string): void =>
  run(
    'bun',
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--splitting',
    '--format=esm',
    '--compile-jit-policy=100',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--outfile=${target}`,
    entry,
  )

/** The executable `cleo`. */
export const compileCleo = (target: string): void => withGathered('bun', (entry) => compile(entry, target))

/** Library and command line for Node, in chunks that load when they are needed. */
export const bundleForNode = (folder: string): void => {
  const bundle = (entry: string) =>
    run(
      'bun',
      'build',
      '--target=node',
      '--splitting',
      '--format=esm',
      '--minify',
      `--outdir=${folder}`,
      entry,
    )
  bundle('src/index.ts')
  withGathered('node', bundle)
  const cli = join(folder, 'cli.js')
  renameSync(join(folder, 'main.js'), cli)
  writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, 'utf8')}`)
  chmodSync(cli, 0o755)
}

/** Hands out the command line as JavaScript, with everything that nearly every command loads in one chunk. */
const withGathered = (target: 'bun' | 'node', work: (entry: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), 'cleo-chunks-'))
  try {
    const chunks = split('src/main.ts', target, folder)
    work(join(folder, gather(chunks, folder)))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Chunks = Record<string, Chunk>
interface Chunk {
  /** The module that an `import()` names, where it is one. */
  entryPoint?: string
  imports: { path: string; kind: string; external?: boolean }[]
}

const split = (entry: string, target: 'bun' | 'node', folder: string): Chunks => {
  const list = join(folder, 'chunks.json')
  run(
    'bun',
    'build',
    `--target=${target}`,
    '--splitting',
    '--format=esm',
    `--outdir=${folder}`,
    `--metafile=${list}`,
    entry,
  )
  return (JSON.parse(readFileSync(list, 'utf8')) as { outputs: Chunks }).outputs
}

/** What nearly every command loads: all that showing a task takes. */
const everyday = ['src/main.ts', 'src/ops/tasks/show.ts']

/**
 * Bun makes a chunk of every set of modules that the same entries share, and loading one takes as long as a query, on
 * Node as ten: a command had some thirty. When each entry imports all the everyday ones, these are shared by the same
 * entries, and become one. Answers the name of the first chunk.
 */
const gather = (chunks: Chunks, folder: string): string => {
  const chunkOf = (module: string): string => {
    const found = Object.keys(chunks).find((name) => chunks[name]!.entryPoint === module)
    if (!found) throw new Error(`${module} is no longer loaded by an import()`)
    return found
  }
  const gathered = new Set<string>()
  const take = (name: string): void => {
    if (gathered.has(name)) return
    gathered.add(name)
    for (const { path, kind, external } of chunks[name]!.imports)
      if (kind === 'import-statement' && !external) take(path)
  }
  for (const module of everyday) take(chunkOf(module))
  const first = chunkOf(everyday[0]!)
  gathered.delete(first)

  writeFileSync(join(folder, 'everyday.js'), [...gathered].map((name) => `import '${name}'\n`).join(''))
  for (const [name, { entryPoint }] of Object.entries(chunks)) {
    if (!entryPoint || !name.endsWith('.js')) continue
    const path = join(folder, name)
    writeFileSync(path, `import './everyday.js'\n${readFileSync(path, 'utf8')}`)
  }
  return first
}
