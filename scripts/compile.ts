import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { dropDocumentation } from './drop-documentation.ts'
import { escapeLetters } from './escape-letters.ts'
import { hoistFunctions } from './hoist-functions.ts'
import { moveTables } from './move-tables.ts'

const root = join(import.meta.dirname, '..')

/** Runs a program of the development dependencies; on failure prints its output and ends the script. */
export const run = (program: string, ...args: string[]): void => {
  runIn({ cwd: root }, join(root, 'node_modules', '.bin', program), args)
}

const runIn = (
  options: { cwd: string; env?: Record<string, string>; input?: string },
  path: string,
  args: readonly string[],
): string => {
  const { status, stdout, stderr, error } = spawnSync(path, args, { ...options, encoding: 'utf8' })
  if (status === 0) return stdout
  console.error(error?.message ?? stdout + stderr)
  return process.exit(1)
}

/**
 * Compiles one executable. The JIT policy delays the compilation of hot code, because compiling never pays off in a
 * short command. The next two flags keep the executable from reading a bunfig.toml or .env in the folder where it
 * runs.
 */
export const compile = (entry: string, target: string, orders: readonly string[] = []): void =>
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
    ...orders.map((order) => `--bytecode-order=${order}`),
    `--outfile=${target}`,
    entry,
  )

/**
 * Compiles the executable `cleo`, twice. The first executable runs everyday commands and records which functions
 * they call. In the second one, these functions are next to each other, so that a command touches fewer memory
 * pages and takes 4 % less time.
 */
export const compileCleo = (target: string): void => {
  withGathered('bun', ['src/main.ts'], (entry) => {
    compile(entry!, target)
    const folder = mkdtempSync(join(tmpdir(), 'cleo-order-'))
    try {
      compile(entry!, target, recordOrders(target, folder))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

const findings = ['--finding', 'A.', '--finding', 'B.', '--finding', 'C.']

const fillIn = (path: string): void =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^## (Summary|References)$/gm, '$&\n\n- One line.'))

const startSession = ['session', 'start', 'build', '--field', 'id']

const toolCall = JSON.stringify({ session_id: 'build', tool_name: 'Bash', tool_input: { command: 'ls' } })

/** Thirty tasks with all usual fields, so that the recorded commands print full pages with each kind of line. */
const batch = [
  { key: 'plan', title: 'Next plan', type: 'epic' },
  ...Array.from({ length: 30 }, (_, n) => ({
    key: `t${n}`,
    title: `Step ${n} of the plan`,
    parent: 'plan',
    description: 'What to do, in a sentence.\n- [ ] it works\n- [ ] it is tested',
    depends: n % 3 === 2 ? [`t${n - 1}`] : [],
    labels: [`area-${n % 4}`],
    files: [`src/file-${n}.ts`],
    priority: ['high', 'medium', 'low'][n % 3],
  })),
]
  .map((row) => JSON.stringify(row))
  .join('\n')

/** Makes the folder look like the checkout of a branch with a commit, because some commands look for a commit. */
const nameBranch = (folder: string): void => {
  mkdirSync(join(folder, '.git', 'refs', 'heads'), { recursive: true })
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(join(folder, '.git', 'refs', 'heads', 'main'), `${'1'.repeat(40)}\n`)
}

/**
 * The commands to run while functions are recorded. A command can use what the commands before it created. The
 * commands that agents call most come last. Every command except the first one runs in a session, as the commands of
 * agents do.
 */
const recordedCommands: readonly (readonly string[] | ((folder: string) => void))[] = [
  ['init'],
  ['add', 'Plan', '--type', 'epic'],
  ['add', 'Step', '--parent', 'T001', '--files', 'src/step.ts', '--acceptance', 'it works'],
  ['update', 'T002', '--description', 'What to do.', '--add-labels', 'area'],
  ['add', 'Compare', '--parent', 'T001', '--description', 'Which one?', '--labels', 'research'],
  ['spawn', 'T003', '--ref'],
  ['focus', 'set', 'T003', '--as', 'T003.1'],
  (folder) => fillIn(join(folder, 'claudedocs', 'agent-outputs', 'T003-compare.md')),
  ['finish', 'T003', ...findings, '--as', 'T003.1'],
  ['receive', 'T003'],
  ['hook', 'claude', 'SessionStart'],
  ['hook', 'claude', 'PreToolUse'],
  ['complete', 'T002'],
  ['add', '--batch'],
  ['focus', 'set', 'T012'],
  nameBranch,
  ['log'],
  ['orchestrate', 'status'],
  ['list'],
  ['find', 'step'],
  ['focus', 'show'],
  ['find', '--exact', 'Step'],
  ['orchestrate', 'ready'],
  ['orchestrate', 'next'],
  ['board'],
  ['show', 'T013'],
]

/**
 * Runs everyday commands in an empty project. Returns the files in which Bun recorded the functions of each
 * command, most important first.
 */
const recordOrders = (executable: string, folder: string): string[] => {
  const orders: string[] = []
  const env: Record<string, string> = { HOME: `${folder}/home`, USER: 'build' }
  for (const step of recordedCommands) {
    if (typeof step === 'function') {
      step(folder)
      continue
    }
    const order = join(folder, `order.${orders.length}`)
    runIn(
      {
        cwd: folder,
        env: { ...env, BUN_BYTECODE_ORDER_OUT: order },
        ...(step[0] === 'hook' && { input: toolCall }),
        ...(step.includes('--batch') && { input: batch }),
      },
      executable,
      step,
    )
    orders.unshift(order)
    if (step[0] === 'init') {
      env['CLEO_AGENT_ID'] = 'planner'
      env['CLEO_SESSION_ID'] = runIn({ cwd: folder, env }, executable, startSession).trim()
    }
  }
  return orders
}

/**
 * Bundles the command line (cli.js) and the library (index.js) for Node. Both share chunks, which load when they are
 * needed. Returns the paths of the bundled modules.
 */
export const bundleForNode = (folder: string): string[] => {
  const modules = withGathered('node', ['src/cli.ts', 'src/index.ts'], (...entries) =>
    run(
      'bun',
      'build',
      '--target=node',
      '--splitting',
      '--format=esm',
      '--minify',
      `--outdir=${folder}`,
      '--chunk-naming=chunks/[name]-[hash].[ext]',
      ...entries,
    ),
  )
  removeForwarders(folder)
  for (const path of globSync(join(folder, '{.,chunks}', '*.js')))
    writeFileSync(path, escapeLetters(readFileSync(path, 'utf8')))
  const cli = join(folder, 'cli.js')
  writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, 'utf8')}`)
  chmodSync(cli, 0o755)
  return modules
}

const forwarder = /^import\{(?<imported>[^}]*)\}from"(?<chunk>[^"]*)";export\{(?<exported>[^}]*)\};?\s*$/

/**
 * If an `import()` loads a module of a larger chunk, Bun makes a small chunk that only passes on exports of the larger
 * chunk. Removes these small chunks, and lets each `import()` load the larger chunk directly, so that nearly every
 * command loads one file less.
 */
const removeForwarders = (folder: string): void => {
  const names = (list: string) =>
    list.split(',').map((each) => each.split(' as ') as [name: string, as?: string])
  const direct = new Map<string, string>()
  for (const path of globSync(join(folder, 'chunks', '*.js'))) {
    const { imported, chunk, exported } = forwarder.exec(readFileSync(path, 'utf8'))?.groups ?? {}
    if (!imported || !chunk || !exported) continue
    const nameOf = new Map(names(imported).map(([name, as = name]) => [as, name]))
    const fields = names(exported).map(([name, as = name]) => `${as}:c.${nameOf.get(name)}`)
    direct.set(basename(path), `${basename(chunk)}").then((c)=>({${fields.join(',')}}))`)
    rmSync(path)
  }
  for (const path of globSync(join(folder, '{.,chunks}', '*.js'))) {
    const text = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      text.replace(/import\("(\.\/(?:chunks\/)?)([^"]+)"\)/g, (whole, to: string, name: string) => {
        const target = direct.get(name)
        return target ? `import("${to}${target}` : whole
      }),
    )
  }
}

/**
 * Compiles the entries to JavaScript, combines chunks with `gather`, and calls `work` with the paths of the compiled
 * entries. Returns the paths of all source modules that the chunks contain.
 */
const withGathered = (
  target: 'bun' | 'node',
  entries: readonly string[],
  work: (...entries: string[]) => void,
): string[] => {
  const folder = mkdtempSync(join(tmpdir(), 'cleo-chunks-'))
  try {
    const chunks = split(entries, target, folder)
    if (target === 'bun') moveProgram(chunks, folder)
    gather(chunks, entries, folder)
    let tables = 0
    const keep = (json: string): string => {
      const name = `table-${++tables}.json`
      writeFileSync(join(folder, name), json)
      return name
    }
    for (const path of globSync(join(folder, '**/*.js'))) {
      const code = hoistFunctions(dropDocumentation(readFileSync(path, 'utf8')))
      writeFileSync(path, target === 'bun' ? moveTables(code, keep) : code)
    }
    work(...entries.map((entry) => join(folder, chunkOf(chunks, entry))))
    return Object.values(chunks).flatMap(({ inputs }) => Object.keys(inputs ?? {}))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

type Chunks = Record<string, Chunk>
interface Chunk {
  /** Set if the chunk starts with an entry or with a module that an `import()` loads: the path of this module. */
  entryPoint?: string
  bytes: number
  /** The modules in the chunk, by path. */
  inputs?: Record<string, { bytesInOutput: number }>
  imports: { path: string; kind: string; external?: boolean }[]
}

const split = (entries: readonly string[], target: 'bun' | 'node', folder: string): Chunks => {
  const list = join(folder, 'chunks.json')
  run(
    'bun',
    'build',
    `--target=${target}`,
    '--splitting',
    '--format=esm',
    `--outdir=${folder}`,
    `--metafile=${list}`,
    // The main file of jsonc-parser is UMD, which Bun cannot bundle for Node.
    `--tsconfig-override=${join(import.meta.dirname, 'bundle.tsconfig.json')}`,
    // `main.ts` calls its function `main` if `main.ts` is the entry. In a bundle, another module imports `main.ts` and
    // calls `main`: `cli.ts`, or the entry that `moveProgram` writes. So `main.ts` must not call it again.
    '--define=import.meta.main=false',
    ...entries,
  )
  return (JSON.parse(readFileSync(list, 'utf8')) as { outputs: Chunks }).outputs
}

/**
 * Moves `main.ts`, with all else in its chunk, out of the entry, and leaves an entry of two lines. Bun never combines
 * an entry with another chunk. So without the move, every command would load one chunk more.
 */
const moveProgram = (chunks: Chunks, folder: string): void => {
  const entry = chunkOf(chunks, 'src/main.ts')
  const { entryPoint, ...program } = chunks[entry]!
  const moved = './program.js'
  renameSync(join(folder, entry), join(folder, moved))
  writeFileSync(join(folder, entry), `import { main } from '${moved}'\nawait main()\n`)
  chunks[moved] = program
  chunks[entry] = {
    ...(entryPoint && { entryPoint }),
    bytes: 0,
    imports: [{ path: moved, kind: 'import-statement' }],
  }
}

/**
 * Returns the modules that every command loads, and how many bytes of the executable each module takes before
 * minification. All other modules are behind an `import()`.
 */
export const everydayModules = (): Map<string, number> => {
  const folder = mkdtempSync(join(tmpdir(), 'cleo-everyday-'))
  try {
    const chunks = split(everyday, 'bun', folder)
    const modules = new Map<string, number>()
    for (const name of closureIn(chunks, [chunkOf(chunks, everyday[0]!)])) {
      const code = readFileSync(join(folder, name), 'utf8')
      const inputs = Object.entries(chunks[name]!.inputs ?? {})
      const operations = inputs.filter(([path]) => path.includes('/ops/')).length
      const dropped = (code.length - dropDocumentation(code).length) / operations
      for (const [path, { bytesInOutput }] of inputs)
        modules.set(path, path.includes('/ops/') ? bytesInOutput - dropped : bytesInOutput)
    }
    return modules
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Returns these chunks and all chunks that they import, directly or indirectly, but not those that they load with
 * `import()`.
 */
const closureIn = (chunks: Chunks, names: readonly string[]): Set<string> => {
  const taken = new Set<string>()
  const take = (name: string): void => {
    if (taken.has(name)) return
    taken.add(name)
    for (const path of importsIn(chunks, name)) take(path)
  }
  for (const name of names) take(name)
  return taken
}

const importsIn = (chunks: Chunks, name: string): string[] =>
  chunks[name]!.imports.flatMap(({ path, kind, external }) =>
    kind === 'import-statement' && !external ? [path] : [],
  )

const chunkOf = (chunks: Chunks, module: string): string => {
  const names = Object.keys(chunks)
  const found =
    names.find((name) => chunks[name]!.entryPoint === module) ??
    names.find((name) => chunks[name]!.inputs && module in chunks[name]!.inputs)
  if (!found) throw new Error(`${module} is in no chunk`)
  return found
}

/** Every command needs these modules. `main.ts` also imports the `everyday` operations of scripts/generate.ts. */
const everyday = ['src/main.ts']
/**
 * Chunks with fewer bytes than this become part of the everyday chunk, because loading them separately takes longer.
 * The limit must stay low: with 500 bytes, every command would start with 5 more blocks of heap, and above 64 blocks
 * the engine starts a thread, which takes half a millisecond.
 */
const tiny = 100
/**
 * Small modules that everyday commands need. They are listed here so that `board` does not load the whole group
 * `state`, and `update` does not load the whole group `folders`, with `node:fs`.
 */
const shared = ['src/overview/counts.ts', 'src/output/manifest-path.ts']
/**
 * Rooms and modules that must load only what they need, because everyday commands or all commands use them.
 * All other modules may load a whole group.
 */
const hurried = [
  'audit',
  'client-hooks',
  'consensus/consensus-line.ts',
  'standing/recorded-gates.ts',
  'focus',
  'manifest/ingest.ts',
  'manifest/sql/links.ts',
  'overview',
  'perform',
  'sessions',
  'store',
  'surface',
  'tasks',
]

interface Group {
  name: string
  /**
   * All chunks that these modules need become one chunk. But a chunk is left out if a hurried module outside `modules`
   * and `alsoFor` needs it.
   */
  modules: string[]
  /** Hurried modules that may load the whole group. */
  alsoFor: string[]
}

/** These modules are in hurried rooms, but may load whole groups, because few commands load these modules. */
const unhurried = ['focus/adopt-folder.ts', 'client-hooks/spawn-record.ts', 'perform/hooks.ts']

/** Each group is named after what its commands do. A later group uses the earlier ones. */
const groups: readonly Group[] = [
  {
    name: 'folders',
    modules: ['src/manifest/ingest.ts'],
    alsoFor: unhurried,
  },
  {
    name: 'recorded',
    modules: ['src/standing/recorded-gates.ts'],
    alsoFor: [...unhurried, 'client-hooks', 'perform/trust-notice.ts', 'store/postgres/open.ts'],
  },
  {
    name: 'state',
    modules: ['src/overview/ops/status.ts'],
    alsoFor: [...unhurried, 'consensus', 'evidence', 'overview', 'perform/trust-notice.ts'],
  },
  {
    name: 'starting',
    modules: ['src/output/create-output.ts', 'src/manifest/sql/links.ts'],
    alsoFor: [...unhurried, 'perform/trust-notice.ts', 'store/postgres/open.ts'],
  },
  {
    name: 'moving',
    modules: ['src/tasks/own-work.ts'],
    alsoFor: [...unhurried, 'focus', 'tasks', 'task-edits'],
  },
  { name: 'markdown', modules: ['src/markdown/blocks.ts'], alsoFor: [...unhurried, 'tasks'] },
  { name: 'completing', modules: ['src/completion/ops/complete.ts'], alsoFor: unhurried },
  {
    name: 'changing',
    modules: [
      'src/tasks/ops/block.ts',
      'src/tasks/ops/unblock.ts',
      'src/focus/ops/set.ts',
      'src/focus/ops/clear.ts',
    ],
    alsoFor: [...unhurried, 'tasks/ops/reopen.ts', 'tasks/ops/exists.ts', 'task-edits/ops/update.ts'],
  },
  {
    name: 'editing',
    modules: ['src/tasks/ops/add.ts', 'src/task-edits/ops/update.ts'],
    alsoFor: [
      ...unhurried,
      'focus/ops/note.ts',
      'overview/ops/analyze.ts',
      'sessions',
      'tasks/ops/block.ts',
      'tasks/ops/note.ts',
      'tasks/ops/reopen.ts',
    ],
  },
  {
    name: 'judging',
    modules: [
      'src/completion/permission.ts',
      'src/evidence/spawn-history.ts',
      'src/evidence/spawn-work.ts',
      'src/evidence/uncommitted-work.ts',
      'src/standing/start-git.ts',
    ],
    alsoFor: [...unhurried, 'overview/ops/prime.ts'],
  },
  {
    name: 'returning',
    modules: [
      'src/manifest/ops/append.ts',
      'src/evidence/ops/gate.ts',
      'src/evidence/work-rule.ts',
      'src/receive/ops/receive.ts',
      'src/completion/ops/finish.ts',
      'src/standing/prove-task.ts',
    ],
    alsoFor: [...unhurried, 'overview/ops/prime.ts'],
  },
  { name: 'ruling', modules: ['src/compliance/rules-at-completion.ts'], alsoFor: unhurried },
  { name: 'prompting', modules: ['src/spawn/ops/spawn.ts'], alsoFor: unhurried },
]

/**
 * Combines chunks, because otherwise a command loads about thirty of them. Loading a chunk takes as long as a query
 * of the database, and on Node as long as ten queries. Bun puts modules into one chunk if exactly the same entries
 * need them. So each entry that needs one module of a group is made to import the whole group.
 */
const gather = (chunks: Chunks, builtEntries: readonly string[], folder: string): void => {
  const importsOf = (name: string) => importsIn(chunks, name)
  const closure = (names: readonly string[]) => closureIn(chunks, names)
  const takenBy = (modules: readonly string[]) => closure(modules.map((module) => chunkOf(chunks, module)))
  const daily = takenBy(everyday)
  for (const [name, { bytes, entryPoint, inputs }] of Object.entries(chunks))
    if (
      name.endsWith('.js') &&
      !entryPoint &&
      (bytes < tiny || shared.some((module) => inputs && module in inputs)) &&
      importsOf(name).every((other) => daily.has(other))
    )
      daily.add(name)
  const entries = Object.entries(chunks).flatMap(([name, { entryPoint }]) =>
    entryPoint && name.endsWith('.js') ? [{ name, module: entryPoint, needs: takenBy([entryPoint]) }] : [],
  )
  const importAll = (name: string, members: Iterable<string>) =>
    writeFileSync(join(folder, `${name}.js`), [...members].map((member) => `import '${member}'\n`).join(''))
  importAll(
    'everyday',
    [...daily].filter((name) => !builtEntries.includes(chunks[name]!.entryPoint ?? '')),
  )
  const taken = new Set(daily)
  const gathered = groups.map(({ name, modules, alsoFor }) => {
    const isIn = (module: string, parts: readonly string[]) =>
      parts.some((part) => module === `src/${part}` || module.startsWith(`src/${part}/`))
    const outside = entries.filter(
      ({ module }) => isIn(module, hurried) && !isIn(module, alsoFor) && !modules.includes(module),
    )
    const members = [...takenBy(modules)].filter(
      (chunk) =>
        !taken.has(chunk) && !chunks[chunk]!.entryPoint && !outside.some(({ needs }) => needs.has(chunk)),
    )
    for (const member of members) taken.add(member)
    importAll(name, members)
    return { name, members }
  })
  for (const { name, module, needs } of entries) {
    if (module === 'src/cli.ts') continue // `cli.ts` must check the version of Node before it imports anything.
    const names = ['everyday']
    const all = new Set(needs)
    // Look at the last group first, because a group can also need modules of the groups before it.
    for (const { name, members } of gathered.toReversed()) {
      if (!members.some((member) => all.has(member))) continue
      names.push(name)
      for (const need of closure(members)) all.add(need)
    }
    const path = join(folder, name)
    const imports = names.map((each) => `import './${each}.js'\n`).join('')
    writeFileSync(path, imports + readFileSync(path, 'utf8'))
  }
}
