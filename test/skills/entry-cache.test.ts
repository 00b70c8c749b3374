import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../../src/host/sha256.ts'
import { statAt } from '../../src/host/stat.ts'
import { version } from '../../src/kernel/version.ts'
import { findSkill, openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { pathsAsked } from '../support/counted-calls.ts'
import { withTemp } from '../support/temp.ts'
import { opened, put, setOldTimes, skillText } from './skill-files.ts'

const source = join(import.meta.dirname, '..', '..', 'src')

const cache = '.cleo/cache/skills.json'

const withCleo = (work: (root: string) => Promise<void>) =>
  withTemp((root) => {
    mkdirSync(join(root, '.cleo'))
    return work(root)
  })

/** Returns the text of the cache without its signature. */
const textOf = (root: string) => readFileSync(join(root, cache), 'utf8').replace(/^.*\n/, '')

const markOf = (root: string, text: string): string => {
  const secret = join(root, '.cleo/secret')
  return hmacSha256(readFileSync(secret, 'utf8').trim(), [`${version} 2`, statAt(secret)!.stamp, text])
}

/** Edits the lines of the cache. Signs them again as CLEO would, unless `keep` is set. */
const edited = (root: string, edit: (line: string) => string, keep = false): string => {
  const [made, ...lines] = textOf(root).split('\n')
  const changed = lines.map((line) => {
    const [mark, text] = [line.slice(0, line.indexOf(' ')), edit(line.slice(line.indexOf(' ') + 1))]
    return `${keep ? mark : markOf(root, text)} ${text}`
  })
  const text = [made, ...changed].join('\n')
  return `${keep ? readFileSync(join(root, cache), 'utf8').split('\n')[0] : markOf(root, text)}\n${text}`
}

/**
 * Replaces the cache. The new cache gets a time far in the future, because CLEO uses a cache only for files that
 * are older.
 */
const replaceCache = (root: string, text: string): void => {
  put(root, cache, text)
  utimesSync(join(root, cache), 4_000_000_000, 4_000_000_000)
}

const foundByName = async (root: string, name: string) => {
  const found = await findSkill(opened(root), name)
  return 'missing' in found ? undefined : found
}

test('[SKILL-2] an unchanged skill is neither read nor parsed', () =>
  withCleo(async (root) => {
    for (let i = 0; i < 50; i++) put(root, `skills/s${i}/SKILL.md`, skillText(`s${i}`))
    put(root, 'skills/unreadable/SKILL.md', '\0')
    const project = opened(root)
    await openCatalogue(project)
    replaceCache(
      root,
      edited(root, (line) => line.replace('What s7 is for.', 'from the cache')),
    )
    const { ino, mtimeMs } = statSync(join(root, cache))
    expect((await openCatalogue(project)).find('s7')?.description).toBe('from the cache')
    expect((await foundByName(root, 's7'))?.description).toBe('from the cache')
    expect(statSync(join(root, cache))).toMatchObject({ ino, mtimeMs })
  }))

test('[SKILL-2] a change is noticed by content, even with the same size and time', () =>
  withTemp(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one', '  version: "1.0.0"\n'))
    setOldTimes(root, 'skills/one/SKILL.md')
    const project = opened(root)
    const version = async () => (await openCatalogue(project)).find('one')?.version
    expect(await version()).toBe('1.0.0')
    put(root, 'skills/one/SKILL.md', skillText('one', '  version: "2.0.0"\n'))
    setOldTimes(root, 'skills/one/SKILL.md')
    expect(await version()).toBe('2.0.0')
    rmSync(join(root, 'skills/one'), { recursive: true })
    expect(await version()).toBeUndefined()
  }))

test('[SKILL-2] an edited cache is ignored', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    const project = opened(root)
    const plain = (await openCatalogue(project)).list()
    const [folder, kept] = JSON.parse(textOf(root).slice(textOf(root).indexOf(' ') + 1))
    const saying = (known: unknown): string => JSON.stringify([folder, { ...kept, known }])
    const { entry } = kept.known
    for (const said of [
      saying({ ok: true, entry: { ...entry, template: true } }),
      saying({ ok: true, entry: { ...entry, name: 'ct-release' } }),
      saying({ ok: true, entry: { ...entry, version: '1\n## Protocol' } }),
      saying({ ok: true }),
      saying(null),
    ])
      for (const whole of [said, edited(root, () => said, true), `\n\n${said}`, `\n\n ${said}`]) {
        replaceCache(root, whole)
        expect(await foundByName(root, 'one')).toEqual(plain[0])
        expect((await openCatalogue(project)).list()).toEqual(plain)
      }
    expect(textOf(root)).toContain('"template":false')
  }))

test('[SKILL-2] a cache that came with a clone and its secret is ignored', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    const project = opened(root)
    await openCatalogue(project)
    replaceCache(
      root,
      edited(root, (line) => line.replace('"template":false', '"template":true')),
    )
    const secret = join(root, '.cleo/secret')
    const same = readFileSync(secret, 'utf8')
    rmSync(secret)
    writeFileSync(secret, same)
    put(root, 'skills/one/SKILL.md', skillText('one'))
    expect((await foundByName(root, 'one'))?.template).toBe(false)
    expect((await openCatalogue(project)).find('one')?.template).toBe(false)
  }))

test('[SKILL-2] a look-up by name asks about no other skill, however many there are', () =>
  withCleo(async (root) => {
    const asked = async (many: number) => {
      for (let i = 0; i < many; i++) put(root, `skills/s${i}/SKILL.md`, skillText(`s${i}`))
      await openCatalogue(opened(root))
      replaceCache(root, readFileSync(join(root, cache), 'utf8'))
      return pathsAsked(() => foundByName(root, 's7'))
    }
    const few = await asked(10)
    const others = few.filter((path) => /\/skills\/s/.test(path) && !path.includes('/skills/s7'))
    expect(others, 'no other skill is asked about').toEqual([])
    expect(few.some((path) => path.endsWith('/skills/s7/SKILL.md'))).toBe(true)
    expect(await asked(120)).toEqual(few)
  }))

test('[SKILL-2] a look-up by name answers as the whole catalogue does', () =>
  withCleo(async (root) => {
    for (const path of ['skills/a', '.claude/skills/a', '.home/.claude/skills/a', 'skills/ct-release'])
      put(root, `${path}/SKILL.md`, skillText(path.slice(path.lastIndexOf('/') + 1)))
    put(root, 'skills/0/SKILL.md', skillText('b'))
    put(root, '.home/.claude/skills/b/SKILL.md', skillText('b'))
    put(root, 'skills/odd/SKILL.md', skillText('c'))
    put(root, 'skills/broken/SKILL.md', 'no front matter')
    put(root, '.claude/skills/broken/SKILL.md', skillText('broken'))
    symlinkSync('a', join(root, 'skills/linked'))
    symlinkSync('/etc', join(root, 'skills/away'))
    const catalogue = await openCatalogue(opened(root))
    for (const name of [
      'a',
      'b',
      'c',
      'odd',
      'broken',
      'ct-release',
      'ct-validator',
      'linked',
      'away',
      '../a',
      '.',
      'x',
    ]) {
      const { shadows: _, ...found } = (await foundByName(root, name)) ?? { shadows: [] }
      const { shadows: __, ...listed } = catalogue.find(name) ?? { shadows: [] }
      expect(found, name).toEqual(listed)
    }
    expect((await foundByName(root, 'a'))?.shadows).toEqual(['.claude/skills/a', '~/.claude/skills/a'])
    expect((await foundByName(root, 'b'))?.origin).toBe('user')
  }))

test('[SKILL-2] a dry run writes neither cache nor secret', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    const catalogue = await openCatalogue(opened(root, { dryRun: true }))
    expect(catalogue.find('one')?.path).toBe('skills/one')
    expect(readdirSync(join(root, '.cleo'))).toEqual([])
  }))

test('[SKILL-2] a named pipe in its place does not hang the command', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    mkdirSync(join(root, '.cleo/cache'))
    for (const path of [cache, 'skills/manifest.json']) execFileSync('mkfifo', [join(root, path)])
    // Use a separate process, because a blocked read cannot be interrupted from inside.
    const script = `
      import { nodeHost } from '${source}/host/node-host.ts'
      import { openCatalogue } from '${source}/skills/skill-catalogue.ts'
      const root = ${JSON.stringify(root)}
      const project = { host: { ...nodeHost(), home: root + '/.home', env: {} }, root, folder: root + '/.cleo', config: {} }
      console.log((await openCatalogue(project)).find('one')?.path)`
    const ran = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 120_000 })
    expect(String(ran).trim()).toBe('skills/one')
    expect(statSync(join(root, cache)).isFile()).toBe(true)
  }))

test('[SKILL-2] a corrupt, foreign or unwritable cache makes no difference', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    const project = opened(root)
    const plain = (await openCatalogue(project)).list()
    for (const text of ['', '{', 'null', '[]', '{"by":"0.0.1 1","skills":{}}', '{"by":1,"skills":7}']) {
      put(root, cache, text)
      expect((await openCatalogue(project)).list()).toEqual(plain)
    }
    rmSync(join(root, cache))
    mkdirSync(join(root, cache))
    expect((await openCatalogue(project)).list()).toEqual(plain)
    rmSync(join(root, '.cleo'), { recursive: true })
    put(root, '.cleo', 'a file is in the way')
    expect((await openCatalogue(project)).list()).toEqual(plain)
  }))
