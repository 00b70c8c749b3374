import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Runs a program of the development dependencies; on failure prints its output and ends the script. */
export const run = (program: string, ...args: string[]): void => {
  const path = join(root, 'node_modules', '.bin', program)
  const { status, stdout, stderr, error } = spawnSync(path, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  console.error(error?.message ?? stdout + stderr)
  process.exit(1)
}

/**
 * One executable. The JIT policy delays compiling hot code, which never pays off in a short command. The two flags after it
 * keep the executable from reading a bunfig.toml or .env of the folder it runs in.
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

/** Calls `work` with the command line as JavaScript, with everything that nearly every command loads in one chunk. */
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
  /** The module that an `import()` names, if the chunk starts with one. */
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

/**
 * Modules that are loaded together: those that `show` needs, and with it nearly every command; those for submitting
 * work; those for making a prompt.
 */
const everyday = ['src/main.ts', 'src/overview/ops/show.ts']
const returning = [
  'src/manifest/ops/append.ts',
  'src/evidence/ops/gate.ts',
  'src/completion/ops/complete.ts',
  'src/receive/ops/receive.ts',
  'src/completion/permission.ts',
]
const prompting = ['src/spawn/ops/spawn.ts']
/** Rooms whose commands may load all prompt modules to get one: they are rare, or make prompts themselves. */
const unhurried = [
  'agents',
  'compliance',
  'doctor',
  'help',
  'project',
  'skills',
  'spawn',
  'transfer',
  'trust',
]
/** Rooms whose commands may load everything that submitting work needs. */
const alsoReturning = ['completion', 'evidence', 'inbox', 'manifest', 'output', 'receive']

/**
 * Bun makes one chunk for every set of modules that the same entries share. Loading a chunk takes as long as a query, on
 * Node as long as ten, and a command had some thirty. When each entry that needs one module of a group imports all of
 * them, they are shared by the same entries and become one chunk. Returns the name of the first chunk.
 */
const gather = (chunks: Chunks, folder: string): string => {
  const chunkOf = (module: string): string => {
    const found = Object.keys(chunks).find((name) => chunks[name]!.entryPoint === module)
    if (!found) throw new Error(`${module} is no longer loaded by an import()`)
    return found
  }
  const takenBy = (modules: readonly string[]): Set<string> => {
    const taken = new Set<string>()
    const take = (name: string): void => {
      if (taken.has(name)) return
      taken.add(name)
      for (const { path, kind, external } of chunks[name]!.imports)
        if (kind === 'import-statement' && !external) take(path)
    }
    for (const module of modules) take(chunkOf(module))
    return taken
  }
  const first = chunkOf(everyday[0]!)
  const daily = takenBy(everyday)
  const entries = Object.entries(chunks).flatMap(([name, { entryPoint }]) =>
    entryPoint && name.endsWith('.js') ? [{ name, module: entryPoint, needs: takenBy([entryPoint]) }] : [],
  )
  const group = (name: string, members: Iterable<string>) =>
    writeFileSync(join(folder, `${name}.js`), [...members].map((member) => `import '${member}'\n`).join(''))
  /** Chunks of these modules that no fast command outside the group needs. */
  const shared = (modules: readonly string[], taken: ReadonlySet<string>, mayTakeMore: readonly string[]) => {
    const hurried = entries.filter(
      ({ module }) =>
        !modules.includes(module) && !mayTakeMore.some((part) => module.startsWith(`src/${part}/`)),
    )
    return [...takenBy(modules)].filter(
      (name) =>
        !taken.has(name) && !chunks[name]!.entryPoint && !hurried.some(({ needs }) => needs.has(name)),
    )
  }
  const forReturns = shared(returning, daily, [...unhurried, ...alsoReturning])
  const forPrompts = shared(prompting, new Set([...daily, ...forReturns]), unhurried)
  group(
    'everyday',
    [...daily].filter((name) => name !== first),
  )
  group('returning', forReturns)
  group('prompting', forPrompts)
  for (const { name, needs } of entries) {
    const groups = [
      'everyday',
      ...(forReturns.some((member) => needs.has(member)) ? ['returning'] : []),
      ...(forPrompts.some((member) => needs.has(member)) ? ['prompting'] : []),
    ]
    const path = join(folder, name)
    const imports = groups.map((group) => `import './${group}.js'\n`).join('')
    writeFileSync(path, imports + readFileSync(path, 'utf8'))
  }
  return first
}
