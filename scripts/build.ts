import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const bin = (name: string) => join(root, 'node_modules', '.bin', name)

const run = (program: string, ...args: string[]): void => {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return
  console.error(error?.message ?? stdout + stderr)
  process.exit(1)
}

/** One executable. Without the last two flags it would obey a bunfig.toml and a .env in whatever folder it runs. */
const executable = (entry: string, target: string): void =>
  run(
    bin('bun'),
    'build',
    '--compile',
    '--minify',
    '--bytecode',
    '--splitting',
    '--format=esm',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--outfile=${target}`,
    entry,
  )

/** Library and command line for Node, in chunks that load when they are needed. */
const forNode = (): void => {
  run(
    bin('bun'),
    'build',
    '--target=node',
    '--splitting',
    '--format=esm',
    '--minify',
    '--outdir=dist',
    'src/main.ts',
    'src/index.ts',
  )
  renameSync(join(dist, 'main.js'), join(dist, 'cli.js'))
  const cli = join(dist, 'cli.js')
  writeFileSync(cli, `#!/usr/bin/env node\n${readFileSync(cli, 'utf8')}`)
  chmodSync(cli, 0o755)
}

rmSync(dist, { recursive: true, force: true })
forNode()
executable('src/main.ts', 'dist/cleo')
run(bin('tsc'), '--project', 'tsconfig.build.json')
