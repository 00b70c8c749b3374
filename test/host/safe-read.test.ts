import { execFileSync, spawn } from 'node:child_process'
import { linkSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { withTemp } from '../support/temp.ts'

const { files } = nodeHost()
const kib = 1024
const most = 256 * kib

/** Makes a project folder and, beside it, files that must stay unread. */
const withFolders = <T>(work: (root: string, outside: string) => Promise<T>): Promise<T> =>
  withTemp((folder) => {
    const [root, outside] = [join(folder, 'project'), join(folder, 'project-outside')]
    write(root, 'docs/guide.md', 'Read me.\n')
    write(root, 'docs/one.md', 'Two names.\n')
    write(outside, 'page.md', 'SECRET')
    write(outside, 'other.md', 'SECRET')
    return work(root, outside)
  })

const write = (root: string, path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

test('[TOK-7] a file below the folder is read as it is', () =>
  withFolders(async (root) => {
    write(root, 'docs/größe.md', '\ufeffmit Umlaut\r\n')
    write(root, 'docs/empty.md', '')
    write(root, 'docs/most.md', 'x'.repeat(most))
    write(root, '.cleo/rcasd/T001/research.md', 'found')
    const read = async (path: string) => files.readInside(root, path, most)
    expect(await read('docs/guide.md')).toEqual({
      ok: true,
      path: 'docs/guide.md',
      text: 'Read me.\n',
      bytes: 9,
    })
    expect(await read('./docs//guide.md')).toMatchObject({ ok: true, path: 'docs/guide.md' })
    expect(await read('docs/größe.md')).toMatchObject({ ok: true, text: '\ufeffmit Umlaut\r\n' })
    expect(await read('docs/empty.md')).toMatchObject({ ok: true, text: '' })
    expect(await read('docs/most.md')).toMatchObject({ ok: true, bytes: most })
    expect(await read('.cleo/rcasd/T001/research.md')).toMatchObject({ ok: true })
    expect(await read('docs/none.md')).toEqual({ ok: false, missing: true, why: 'does not exist' })
  }))

type Hostile = [path: string, why: string, plant?: (root: string, outside: string) => void]

const holds =
  (path: string, content: string | Uint8Array = 'SECRET') =>
  (root: string) =>
    write(root, path, content)
const link = (path: string, to: string) => (root: string) => symlinkSync(to, join(root, path))

const hostile: Hostile[] = [
  ['../project-outside/page.md', 'points outside its folder'],
  ['docs/../../project-outside/page.md', 'points outside its folder'],
  ['docs/../docs/guide.md', 'points outside its folder'],
  ['..', 'points outside its folder'],
  ['./../project-outside/page.md', 'points outside its folder'],
  ['docs/..\\..\\project-outside\\page.md', 'is not a plain path'],
  ['docs\\guide.md', 'is not a plain path'],
  ['/etc/passwd', 'is an absolute path'],
  ['//etc/passwd', 'is an absolute path'],
  ['/proc/self/environ', 'is an absolute path'],
  ['', 'names no file'],
  ['.', 'names no file'],
  ['./', 'names no file'],
  ['docs', 'is not a regular file'],
  ['docs/', 'is not a regular file'],
  ['docs/guide.md\0.txt', 'is not a plain path'],
  ['docs/guide.md\n', 'is not a plain path'],
  ['docs/\u001b[31mguide.md', 'is not a plain path'],
  ['docs/\ud800.md', 'is not a plain path'],
  [`${'d/'.repeat(600)}page.md`, 'has a path that is too long'],
  [`${'n'.repeat(300)}.md`, 'has a path that is too long'],
  ['%2e%2e/project-outside/page.md', 'does not exist'],
  ['~/page.md', 'does not exist'],
  ['\uff0e\uff0e/project-outside/page.md', 'does not exist'],
  ['docs/guide.md/page.md', 'does not exist'],
  [
    'linked.md',
    'is a link',
    (root, outside) => symlinkSync(join(outside, 'page.md'), join(root, 'linked.md')),
  ],
  ['relative.md', 'is a link', link('relative.md', '../project-outside/page.md')],
  ['within.md', 'is a link', link('within.md', 'docs/guide.md')],
  ['loop.md', 'is a link', link('loop.md', 'loop.md')],
  ['dangling.md', 'is a link', link('dangling.md', '../nothing.md')],
  ['environ.md', 'is a link', link('environ.md', '/proc/self/environ')],
  ['zero.md', 'is a link', link('zero.md', '/dev/zero')],
  ['out/page.md', 'is reached through a link', link('out', '../project-outside')],
  ['in/guide.md', 'is reached through a link', link('in', 'docs')],
  ['up/project-outside/page.md', 'is reached through a link', link('up', '..')],
  ['top/etc/passwd', 'is reached through a link', link('top', '/')],
  [
    'chain/page.md',
    'is reached through a link',
    (root) => {
      symlinkSync('../project-outside', join(root, 'hop'))
      symlinkSync('hop', join(root, 'chain'))
    },
  ],
  ['process/status', 'is reached through a link', link('process', '/proc/self')],
  ['devices/zero', 'is reached through a link', link('devices', '/dev')],
  [
    'hard.md',
    'has another hard link',
    (root, outside) => linkSync(join(outside, 'other.md'), join(root, 'hard.md')),
  ],
  [
    'twice.md',
    'has another hard link',
    (root) => linkSync(join(root, 'docs/one.md'), join(root, 'twice.md')),
  ],
  ['pipe.md', 'is not a regular file', (root) => void execFileSync('mkfifo', [join(root, 'pipe.md')])],
  ['large.md', 'is larger than 256 KiB', holds('large.md', 'x'.repeat(most + 1))],
  [
    'huge.md',
    'is larger than 256 KiB',
    (root) => {
      write(root, 'huge.md', '')
      truncateSync(join(root, 'huge.md'), 100 * kib * kib)
    },
  ],
  ['binary.md', 'is not text', holds('binary.md', new Uint8Array([35, 32, 0, 65]))],
  ['latin1.md', 'is not text', holds('latin1.md', new Uint8Array([0x66, 0xfc, 0x72]))],
  ['cut.md', 'is not text', holds('cut.md', new Uint8Array([0xe2, 0x82]))],
  ['surrogate.md', 'is not text', holds('surrogate.md', new Uint8Array([0xed, 0xa0, 0x80]))],
]

const secrets = [
  ...[
    '.env',
    '.env.local',
    '.ENV',
    '.envrc',
    'app/.Env.production',
    'prod.env',
    '.env.',
    '.env ',
    '.env/x.md',
  ],
  ...[
    '.git/config',
    '.GIT/config',
    '.git./config',
    'sub/.git/HEAD',
    'git~1/config',
    '.g\u200cit/config',
    '.git-credentials',
  ],
  ...['.cleo/cleo.db', '.cleo/cleo.db-wal', '.CLEO/CLEO.DB', '.cleo/config.json', '.cleo/backups/one.db'],
  ...[
    '.ssh/id_rsa',
    'id_rsa',
    'id_ed25519.pub',
    'keys/server.pem',
    'keys/server.KEY',
    'store.p12',
    'a.pfx',
    'a.kdbx',
  ],
  ...[
    '.npmrc',
    '.netrc',
    '_netrc',
    '.pgpass',
    '.aws/credentials',
    'credentials.json',
    'Secrets.yml',
    'terraform.tfstate',
  ],
  ...['\uff0eenv', '.\uff45nv', '.env\u200b', 'docs/\u2024env'],
]

const whyNot = async (root: string, path: string): Promise<string> => {
  const read = await files.readInside(root, path, most)
  return read.ok ? `was read: ${read.text.slice(0, 20)}` : read.why
}

test('[TOK-7] every hostile path is refused with its reason', () =>
  withFolders(async (root, outside) => {
    for (const [, , plant] of hostile) plant?.(root, outside)
    const socket = createServer().listen(join(root, 'socket.md'))
    await new Promise((resolve) => socket.once('listening', resolve))
    try {
      const reasons: [string, string][] = []
      for (const [path] of hostile) reasons.push([path, await whyNot(root, path)])
      expect(reasons, 'each is refused for its reason').toEqual(hostile.map(([path, why]) => [path, why]))
      expect(await whyNot(root, 'socket.md')).toBe('is not a regular file')
    } finally {
      socket.close()
    }
  }))

test('[TOK-7] secrets are known by name, in any part and any spelling', () =>
  withFolders(async (root) => {
    const reasons: string[] = []
    for (const [i, name] of secrets.entries()) {
      write(root, `${i}/${name}`, 'SECRET')
      reasons.push(`${name} ${await whyNot(root, `${i}/${name}`)}`)
    }
    expect(reasons).toEqual(secrets.map((name) => `${name} has the name of a secret file`))
    expect(hostile.length + secrets.length).toBeGreaterThanOrEqual(60)

    const harmless = [
      'environment.md',
      'docs/env.md',
      '.gitignore',
      'keys.md',
      'credentials.md',
      'monkey.md',
      'x.db',
    ]
    for (const name of harmless) {
      write(root, name, 'fine')
      expect(await whyNot(root, name)).toBe('was read: fine')
    }
  }))

test('[TOK-7] a folder that is reached through a link itself gives nothing away', () =>
  withFolders(async (root) => {
    symlinkSync(root, `${root}-link`)
    expect(await whyNot(`${root}-link`, 'docs/guide.md')).toBe('is reached through a link')
    expect(await files.findInside(`${root}-link`, 'docs/*', 100)).toEqual({ ok: true, paths: [] })
    rmSync(`${root}-link`)
  }))

test('[TOK-7] a pattern finds files in path order, follows no link and shows nothing hidden', () =>
  withFolders(async (root) => {
    for (const path of [
      'b/x.md',
      'a/x.md',
      'a/y.md',
      'a/x.txt',
      'a-b/x.md',
      'a/.hidden.md',
      '.c/x.md',
      'a/deep/x.md',
    ])
      write(root, path, path)
    symlinkSync('x.md', join(root, 'a/link.md'))
    symlinkSync('a', join(root, 'linked'))
    mkdirSync(join(root, 'a/folder.md'))
    execFileSync('mkfifo', [join(root, 'a/pipe.md')])
    const find = async (pattern: string) => {
      const found = await files.findInside(root, pattern, 1000)
      return found.ok ? found.paths : found.why
    }
    expect(await find('a/*.md')).toEqual(['a/x.md', 'a/y.md'])
    expect(await find('*/x.md')).toEqual(['a-b/x.md', 'a/x.md', 'b/x.md'])
    expect(await find('*/*/x.*')).toEqual(['a/deep/x.md'])
    expect(await find('a*/*y*.md')).toEqual(['a/y.md'])
    expect(await find('linked/*.md')).toEqual([])
    expect(await find('none/*.md')).toEqual([])
    expect(await find('a/x*x.md')).toEqual([])
    expect(await find('**/*.md')).toBe('contains **, but only * is supported')
    expect(await find('../*/page.md')).toBe('points outside its folder')
    expect(await find('/etc/*.conf')).toBe('is an absolute path')
    expect(await find('.git/*')).toBe('has the name of a secret file')
    expect(await find('.cleo/*')).toBe('has the name of a secret file')
  }))

test('[TOK-7] a glob bomb is bounded', () =>
  withFolders(async (root) => {
    for (let i = 0; i < 300; i++) write(root, `many/${'a'.repeat(200)}${i}/page.md`, '')
    const find = (pattern: string) => files.findInside(root, pattern, 250)
    expect(await find('many/*')).toEqual({
      ok: false,
      missing: false,
      why: 'would read more than 250 names',
    })
    const stars = `many/${'*a'.repeat(120)}*b/*.md`
    expect(await files.findInside(root, stars, 1000)).toEqual({ ok: true, paths: [] })
  }))

const reads = 10_000

test('[TOK-7] links that appear between two checks are not followed', () =>
  withFolders(async (root, outside) => {
    write(root, 'file.md', 'fine')
    write(root, 'dir/page.md', 'fine')
    write(outside, 'only-outside.md', 'SECRET')
    const worker = join(import.meta.dirname, '..', 'reliability', 'swap-worker.ts')
    const swapping = spawn(process.execPath, [worker, root, outside], { stdio: 'ignore' })
    const gone = new Promise((resolve) => swapping.once('exit', resolve))
    const reasons = new Map<string, number>()
    const count = (what: string) => reasons.set(what, (reasons.get(what) ?? 0) + 1)
    // There was a race only if each of these reasons came up more than ten times.
    const lost = ['is a link', 'is reached through a link', 'has another hard link', 'was read: fine']
    const isRace = () => lost.every((why) => (reasons.get(why) ?? 0) > 10)
    try {
      for (let i = 0; (i < reads || !isRace()) && !reasons.has('was read: SECRET'); i++) {
        if (swapping.exitCode !== null) throw new Error('nobody swaps')
        count(await whyNot(root, i % 2 ? 'file.md' : 'dir/page.md'))
        if (i % 20) continue
        const found = await files.findInside(root, 'dir/*', 10)
        count(found.ok && found.paths.includes('dir/only-outside.md') ? 'was listed' : 'was not listed')
      }
    } finally {
      swapping.kill('SIGKILL')
      await gone
    }
    expect(reasons.get('was read: SECRET'), 'read through a link').toBe(undefined)
    expect(reasons.get('was listed'), 'listed through a link').toBe(undefined)
  }))
