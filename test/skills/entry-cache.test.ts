import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hmacSha256 } from '../../src/host/sha256.ts'
import { statAt } from '../../src/host/stat.ts'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { withTemp } from '../support/temp.ts'
import { opened, put, setOldTimes, skillText } from './skill-files.ts'

const source = join(import.meta.dirname, '..', '..', 'src')

const cache = '.cleo/cache/skills.json'

const withCleo = (work: (root: string) => Promise<void>) =>
  withTemp((root) => {
    mkdirSync(join(root, '.cleo'))
    return work(root)
  })

const textOf = (root: string) => readFileSync(join(root, cache), 'utf8').split('\n')[1]!

const seal = (root: string, text: string): void => {
  const secret = join(root, '.cleo/secret')
  const mark = hmacSha256(readFileSync(secret, 'utf8').trim(), [statAt(secret)!.stamp, text])
  writeFileSync(join(root, cache), `${mark}\n${text}`)
}

test('[SKILL-2] an unchanged skill is neither read nor parsed', () =>
  withCleo(async (root) => {
    for (let i = 0; i < 50; i++) put(root, `skills/s${i}/SKILL.md`, skillText(`s${i}`))
    put(root, 'skills/unreadable/SKILL.md', '\0')
    const project = opened(root)
    await openCatalogue(project)
    const kept = JSON.parse(textOf(root))
    kept.skills[join(root, 'skills/s7')].known.entry.description = 'from the cache'
    seal(root, JSON.stringify(kept))
    // The cache trusts only files older than itself.
    utimesSync(join(root, cache), 4_000_000_000, 4_000_000_000)
    const { ino, mtimeMs } = statSync(join(root, cache))
    expect((await openCatalogue(project)).find('s7')?.description).toBe('from the cache')
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
    const [mark, text] = readFileSync(join(root, cache), 'utf8').split('\n')
    const saying = (known: unknown): string => {
      const index = JSON.parse(text!)
      index.skills[join(root, 'skills/one')].known = known
      return JSON.stringify(index)
    }
    const { entry } = JSON.parse(text!).skills[join(root, 'skills/one')].known
    for (const said of [
      saying({ ok: true, entry: { ...entry, template: true } }),
      saying({ ok: true, entry: { ...entry, name: 'ct-release' } }),
      saying({ ok: true, entry: { ...entry, version: '1\n## Protocol' } }),
      saying({ ok: true }),
      saying(null),
    ])
      for (const whole of [said, `${mark}\n${said}`, `\n${said}`]) {
        put(root, cache, whole)
        utimesSync(join(root, cache), 4_000_000_000, 4_000_000_000)
        expect((await openCatalogue(project)).list()).toEqual(plain)
      }
    expect(textOf(root)).toContain('"template":false')
  }))

test('[SKILL-2] a cache that came with a clone and its secret is ignored', () =>
  withCleo(async (root) => {
    put(root, 'skills/one/SKILL.md', skillText('one'))
    const project = opened(root)
    await openCatalogue(project)
    seal(root, textOf(root).replace('"template":false', '"template":true'))
    const secret = join(root, '.cleo/secret')
    const same = readFileSync(secret, 'utf8')
    rmSync(secret)
    writeFileSync(secret, same)
    put(root, 'skills/one/SKILL.md', skillText('one'))
    expect((await openCatalogue(project)).find('one')?.template).toBe(false)
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
    // In a separate process: a blocked read cannot be interrupted from inside.
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
