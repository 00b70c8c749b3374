import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from './support/cleo.ts'

const root = join(import.meta.dirname, '..')
const megabyte = 1_000_000

/** An empty folder in which the tarball is installed, as users get it. */
let home: string
let packed: { filename: string; size: number; files: { path: string; size: number }[] }
const installed = (...path: string[]) => join(home, 'node_modules', 'cleo', ...path)

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args, '--offline', '--cache', join(home, 'cache')], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

beforeAll(() => {
  home = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-package-'))
  packed = JSON.parse(npm(['pack', '--json', '--pack-destination', home], root))[0]
  writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }')
  // Offline and with an empty cache, npm can install nothing but the tarball.
  npm(['install', '--no-audit', '--no-fund', `./${packed.filename}`], home)
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

describe('the tarball', () => {
  test('is smaller than 3 MB and holds the two entries, chunks, types, licences and schemas only', () => {
    expect(packed.size).toBeLessThan(3 * megabyte)
    const paths = packed.files.map(({ path }) => path)
    const single = [
      'LICENSE',
      'README.md',
      'dist/THIRD-PARTY-LICENSES.md',
      'dist/cli.js',
      'dist/index.js',
      'package.json',
      'schemas/config.json',
    ]
    const others = paths.filter((path) => !/^dist\/(chunks\/[^/]+\.js|types\/.+\.d\.ts)$/.test(path))
    expect(others.sort()).toEqual(single)
  })

  test('holds every module once', () => {
    const texts = globSync(installed('dist', '**', '*.js')).map((path) => readFileSync(path, 'utf8'))
    const defined = texts.flatMap((text) =>
      [...text.matchAll(/name:"([\w.]+)",kind:"/g)].map(([, name]) => name),
    )
    const operations = readFileSync(join(root, 'src/perform/generated/operations.ts'), 'utf8')
    expect(defined.sort()).toEqual(
      [...operations.matchAll(/^ {2}'([\w.]+)':/gm)].map(([, name]) => name).sort(),
    )
    expect(packed.files.filter(({ size }) => size > megabyte)).toHaveLength(1)
  })

  test('every chunk is loaded by another file', () => {
    const files = globSync(installed('dist', '**', '*.js')).map((path) => readFileSync(path, 'utf8'))
    const loaded = new Set(
      files.flatMap((text) => [...text.matchAll(/"[^"]*?([\w-]+\.js)"/g)].map(([, name]) => name)),
    )
    expect(readdirSync(installed('dist', 'chunks')).filter((name) => !loaded.has(name))).toEqual([])
  })

  test('installs no other package and passes on the licences of those it contains', () => {
    expect(readdirSync(join(home, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['cleo'])
    const licenses = readFileSync(installed('dist', 'THIRD-PARTY-LICENSES.md'), 'utf8')
    const sections = licenses.split(/^## /m).slice(1)
    expect(sections.map((text) => text.split(' ')[0])).toEqual(
      expect.arrayContaining(['gpt-tokenizer', 'pg', 'pgpass', 'valibot', 'yaml']),
    )
    for (const text of sections) expect(text).toMatch(/copyright[\s\S]*permission/i)
  })
})

describe('the installed program', () => {
  const env = { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) }
  const cleo = (...args: string[]) => {
    const cwd = join(home, 'project')
    mkdirSync(cwd, { recursive: true })
    const { exit, stdout, stderr } = run(
      { name: 'installed', command: [join(home, 'node_modules', '.bin', 'cleo')] },
      args,
      { cwd, env },
    )
    if (exit !== 0) throw new Error(stdout + stderr)
    return stdout
  }

  test('makes a project, adds and shows a task and makes its prompt', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    expect(cleo('--version')).toContain(version)
    cleo('init')
    cleo('add', 'Customer accounts', '--type', 'epic', '--description', 'Customers sign up and sign in.')
    cleo('add', 'Sign-up form', '--parent', 'T001', '--description', 'A form.', '--acceptance', 'it is sent')
    expect(cleo('show', 'T002')).toContain('Sign-up form')
    // `--exact` loads the tokenizer, the largest chunk.
    const prompt = cleo('orchestrate', 'spawn', 'T002', '--exact', '--field', 'prompt', '--raw')
    expect(prompt).toContain('it is sent')
  })

  test('keeps compiled code in its own folder, for this user only', () => {
    const cache = installed('dist', 'compile-cache')
    rmSync(cache, { recursive: true, force: true })
    const node = (variables: Record<string, string>) =>
      spawnSync(process.execPath, [installed('dist', 'cli.js'), '--version'], {
        env: { ...env, ...variables },
        encoding: 'utf8',
      })
    const other = join(home, 'other-cache')
    const said = [node({ NODE_DISABLE_COMPILE_CACHE: '1' }), node({ NODE_COMPILE_CACHE: other })]
    expect(existsSync(cache)).toBe(false)
    expect(readdirSync(other)).toHaveLength(1)
    said.push(node({}))
    expect(statSync(cache).mode & 0o777).toBe(0o700)
    const [ignored, ...versions] = readdirSync(cache).sort()
    expect(readFileSync(join(cache, ignored!), 'utf8')).toBe('*\n')
    const compiled = () =>
      readdirSync(join(cache, versions[0]!)).map((name) => {
        const { mtimeMs, ino } = statSync(join(cache, versions[0]!, name))
        return { name, mtimeMs, ino }
      })
    const written = compiled()
    expect([versions.length, written.length > 0]).toEqual([1, true])
    said.push(node({}))
    expect(compiled()).toEqual(written)
    // Neither broken files nor a folder that cannot be made stop a command.
    for (const { name } of written) writeFileSync(join(cache, versions[0]!, name), 'x'.repeat(5000))
    said.push(node({}))
    rmSync(cache, { recursive: true })
    writeFileSync(cache, '')
    said.push(node({}))
    rmSync(cache)
    expect(said.map(({ status, stdout, stderr }) => [status, stdout, stderr])).toEqual(
      said.map(() => [0, said[0]!.stdout, '']),
    )
  })

  test('refuses a Node that is too old, before it loads anything', () => {
    const entry = installed('dist', 'cli.js')
    const older = (version: string) =>
      spawnSync(
        process.execPath,
        [
          '--import',
          `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${version}'}})`,
          entry,
          '--version',
        ],
        { encoding: 'utf8' },
      )
    for (const version of ['20.20.2', '24.14.1']) {
      const { status, stdout, stderr } = older(version)
      expect([status, stdout, stderr]).toEqual([
        8,
        '',
        `CLEO needs Node 24.15 or later; this is Node ${version}.\n  fix: install Node 24 from https://nodejs.org, or use the cleo executable, which needs no Node\n`,
      ])
    }
    for (const version of ['24.15.0', '26.0.0']) expect(older(version).status).toBe(0)
    expect(readFileSync(entry, 'utf8')).not.toMatch(/\bimport\s*["'{*]|\bimport\s+\w/)
    const { engines } = JSON.parse(readFileSync(installed('package.json'), 'utf8'))
    expect(engines.node).toBe('>=24.15.0')
  })
})

describe('[OPS-4] the installed library', () => {
  test('answers an operation', () => {
    writeFileSync(
      join(home, 'call.js'),
      `import { openProject } from 'cleo'
      const project = openProject({ project: process.argv[2] })
      await project.call('admin.init', {})
      const added = await project.call('tasks.add', { title: 'Sign-up form' })
      await project.close()
      console.log(added.value.id)`,
    )
    const place = join(home, 'called')
    mkdirSync(place)
    const { stdout, stderr } = spawnSync(process.execPath, ['call.js', place], {
      cwd: home,
      encoding: 'utf8',
    })
    expect([stdout, stderr]).toEqual(['T001\n', ''])
  })

  test('has types that need no other package', () => {
    const consumer = `
      import { type Answer, openProject } from 'cleo'
      const project = openProject({ as: 'planner' })
      export const done: Answer<'tasks.complete'> = await project.call('tasks.complete', { id: 'T001' })
      export const unblocked: string[] = done.ok ? done.value.unblocked : []
      export const lost: boolean = !done.ok && done.code === 'claim.lost'
      // @ts-expect-error
      await project.call('tasks.complete', { id: 1 })
      // @ts-expect-error
      await project.call('tasks.finish', {})
      // @ts-expect-error
      export const never: boolean = !done.ok && done.code === 'cycle'
      const tree = await project.call('tasks.tree', {})
      export const child: string | undefined = tree.ok ? tree.value.tree[0]?.children?.[0]?.title : undefined`
    writeFileSync(join(home, 'consumer.ts'), consumer)
    const options = ['--module', 'nodenext', '--target', 'es2024', '--strict', '--noEmit', '--types', '']
    const tsc = join(root, 'node_modules', '.bin', 'tsc')
    const { stdout } = spawnSync(tsc, [...options, 'consumer.ts'], { cwd: home, encoding: 'utf8' })
    expect(stdout).toBe('')
  })

  test('has types that are written out in full', () => {
    const signatures = readFileSync(installed('dist', 'types', 'perform', 'signatures.d.ts'), 'utf8')
    expect(signatures).toContain('title?: string')
    // TypeScript writes `any` for a type that contains itself and has no exported name.
    expect(signatures).not.toMatch(/\bany\[|: any\b|elided|valibot/)
  })
})
