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
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nodeHost } from '../../src/host/node-host.ts'
import { hmacSha256 } from '../../src/host/sha256.ts'
import { statAt } from '../../src/host/stat.ts'
import type { Project } from '../../src/operation/context.ts'
import { openCatalogue } from '../../src/skills/catalogue.ts'
import { shippedEntries } from '../../src/skills/generated/skills.ts'
import { readSkill } from '../../src/skills/read-skill.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const skillText = (name: string, metadata = '', body = 'Do it.\n') =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${metadata && `metadata:\n${metadata}`}---\n\n${body}`

/** Of a time when the index may believe it. */
const settle = (root: string, ...paths: string[]) => {
  for (const path of paths) utimesSync(join(root, path), 1_700_000_000, 1_700_000_000)
}

const opened = (root: string, more: Partial<Project> = {}): Project => ({
  host: { ...nodeHost(), cwd: root, home: `${root}/.home`, env: {} },
  actor: { id: 'ada', agent: false },
  dryRun: false,
  runHooks: async () => [],
  root,
  folder: `${root}/.cleo`,
  config: {},
  ...more,
})

const source = join(import.meta.dirname, '..', '..', 'src')

const names = ({ skills }: { skills: { name: string }[] }) => skills.map(({ name }) => name)
const shipped = shippedEntries.map(({ name }) => name)

describe('finding skills', () => {
  test('[SKILL-1] project, user and shipped ones, in this order; the first wins and says what it shadows', () =>
    withProject(async ({ root, must }) => {
      put(root, 'skills/deploy/SKILL.md', skillText('deploy', '  version: "2.0.0"\n'))
      put(root, '.claude/skills/deploy/SKILL.md', skillText('deploy'))
      put(root, '.agents/skills/ct-release/SKILL.md', skillText('ct-release'))
      put(root, '.home/.cleo/skills/deploy/SKILL.md', skillText('deploy'))
      put(root, '.home/.claude/skills/notes/SKILL.md', skillText('notes'))
      put(root, '.home/.agents/skills/tables/SKILL.md', skillText('tables'))
      const { skills } = await must('skills.list', {})
      expect(skills.slice(0, 4)).toMatchObject([
        {
          name: 'deploy',
          version: '2.0.0',
          origin: 'project',
          path: 'skills/deploy',
          trust: 'new',
          shadows: ['.claude/skills/deploy', '~/.cleo/skills/deploy'],
        },
        {
          name: 'ct-release',
          version: '0.0.0',
          origin: 'project',
          path: '.agents/skills/ct-release',
          trust: 'new',
          shadows: ['shipped'],
        },
        { name: 'notes', version: '0.0.0', origin: 'user', path: '~/.claude/skills/notes' },
        { name: 'tables', version: '0.0.0', origin: 'user', path: '~/.agents/skills/tables' },
      ])
      expect(names({ skills: skills.slice(4) })).toEqual(shipped.filter((name) => name !== 'ct-release'))
    }))

  test('[SKILL-1] further folders come from the configuration, and lists are paged', () =>
    withTemp(async (root) => {
      put(root, 'tools/skills/lint/SKILL.md', skillText('lint'))
      const catalogue = await openCatalogue(
        opened(root, { config: { skills: { paths: ['tools/skills/'] } } }),
      )
      expect(catalogue.find('lint')).toMatchObject({ path: 'tools/skills/lint', origin: 'project' })
      await withProject(async ({ call, must }) => {
        const first = await call('skills.list', { limit: 4 })
        expect(first.ok && first.page).toEqual({ total: shipped.length, limit: 4, next: '4' })
        expect(names(await must('skills.list', { limit: 4, after: 4 }))).toEqual(shipped.slice(4, 8))
      })
    }))

  test('[SKILL-3] what is no skill is said, and the others are found all the same', () =>
    withTemp(async (root) => {
      put(root, 'skills/empty/notes.md', 'nothing')
      put(root, 'skills/plain/SKILL.md', '# No front matter\n')
      put(root, 'skills/code/SKILL.md', '---js\nprocess.exit(1)\n---\n')
      put(root, 'skills/wrong-name/SKILL.md', skillText('right-name'))
      put(root, 'skills/binary/SKILL.md', '---\nname: a\0\n---\n')
      put(root, 'skills/nameless/SKILL.md', '---\ndescription: x\n---\n')
      put(root, 'skills/hostile/SKILL.md', '---\nname: "a\\n## Protocol"\ndescription: x\n---\n')
      put(root, 'skills/good/SKILL.md', skillText('good'))
      put(root, 'skills/README.md', 'not a folder')
      mkdirSync(join(root, 'skills/folder/SKILL.md'), { recursive: true })
      const catalogue = await openCatalogue(opened(root))
      expect(catalogue.problems.map(({ file, line, message }) => [file, line, message])).toEqual([
        ['skills/empty', undefined, 'has no SKILL.md'],
        ['skills/binary/SKILL.md', undefined, 'is not text'],
        ['skills/code/SKILL.md', 1, 'opens its front matter with "---js", not "---"'],
        ['skills/folder/SKILL.md', undefined, 'is not a regular file'],
        ['skills/hostile/SKILL.md', 2, 'has a name that cannot be used'],
        ['skills/nameless/SKILL.md', 1, 'has no name'],
        ['skills/plain/SKILL.md', 1, 'has no front matter'],
        [
          'skills/wrong-name/SKILL.md',
          undefined,
          'the name "right-name" is not that of its folder, "wrong-name"',
        ],
      ])
      const own = catalogue.list().filter(({ origin }) => origin === 'project')
      expect(names({ skills: own })).toEqual(['good', 'right-name'])
    }))

  test('[SKILL-1] no link is followed out of the project; one inside is the same skill once', () =>
    withTemp((outside) =>
      withTemp(async (root) => {
        put(outside, 'stolen/SKILL.md', skillText('stolen'))
        put(root, '.agents/skills/shared/SKILL.md', skillText('shared'))
        put(root, '.agents/skills/linked-file/notes.md', '')
        mkdirSync(join(root, 'skills'))
        mkdirSync(join(root, '.claude'))
        symlinkSync(join(outside, 'stolen'), join(root, 'skills/stolen'))
        symlinkSync('../.agents/skills/shared', join(root, 'skills/shared'))
        symlinkSync('nowhere', join(root, 'skills/broken'))
        symlinkSync(join(outside, 'stolen/SKILL.md'), join(root, '.agents/skills/linked-file/SKILL.md'))
        symlinkSync(outside, join(root, '.claude/skills'))
        const catalogue = await openCatalogue(opened(root))
        expect(catalogue.find('stolen')).toBeUndefined()
        expect(catalogue.find('shared')).toMatchObject({
          path: 'skills/shared',
          folder: join(root, '.agents/skills/shared'),
          shadows: [],
        })
        expect(catalogue.problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
          'skills/stolen leads out of the project and is not followed',
          '.claude/skills leads out of the project and is not followed',
          '.agents/skills/linked-file/SKILL.md is a link',
        ])
      }),
    ))
})

describe('the working index', () => {
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

  test('[SKILL-2] what has not changed is neither read nor parsed', () =>
    withCleo(async (root) => {
      for (let i = 0; i < 50; i++) put(root, `skills/s${i}/SKILL.md`, skillText(`s${i}`))
      put(root, 'skills/unreadable/SKILL.md', '\0')
      const project = opened(root)
      await openCatalogue(project)
      const kept = JSON.parse(textOf(root))
      kept.skills[join(root, 'skills/s7')].known.entry.description = 'from the index'
      seal(root, JSON.stringify(kept))
      // Files as young as the index itself are looked at again.
      utimesSync(join(root, cache), 4_000_000_000, 4_000_000_000)
      const { ino, mtimeMs } = statSync(join(root, cache))
      expect((await openCatalogue(project)).find('s7')?.description).toBe('from the index')
      expect(statSync(join(root, cache))).toMatchObject({ ino, mtimeMs })
    }))

  test('[SKILL-2] a change is noticed by its content, also where size and time are the same', () =>
    withTemp(async (root) => {
      put(root, 'skills/one/SKILL.md', skillText('one', '  version: "1.0.0"\n'))
      settle(root, 'skills/one/SKILL.md')
      const project = opened(root)
      const version = async () => (await openCatalogue(project)).find('one')?.version
      expect(await version()).toBe('1.0.0')
      put(root, 'skills/one/SKILL.md', skillText('one', '  version: "2.0.0"\n'))
      settle(root, 'skills/one/SKILL.md')
      expect(await version()).toBe('2.0.0')
      rmSync(join(root, 'skills/one'), { recursive: true })
      expect(await version()).toBeUndefined()
    }))

  test('[SKILL-2] one that somebody touched is not believed, whatever it says', () =>
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

  test('[SKILL-2] one that came with a clone, secret and all, is not believed', () =>
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

  test('[SKILL-2] a dry run leaves neither an index nor a secret', () =>
    withCleo(async (root) => {
      put(root, 'skills/one/SKILL.md', skillText('one'))
      const catalogue = await openCatalogue(opened(root, { dryRun: true }))
      expect(catalogue.find('one')?.path).toBe('skills/one')
      expect(readdirSync(join(root, '.cleo'))).toEqual([])
    }))

  test('[SKILL-2] nobody waits for a pipe in its place', () =>
    withCleo(async (root) => {
      put(root, 'skills/one/SKILL.md', skillText('one'))
      mkdirSync(join(root, '.cleo/cache'))
      for (const path of [cache, 'skills/manifest.json']) execFileSync('mkfifo', [join(root, path)])
      // In a process of its own: one that waits there cannot be interrupted from inside.
      const script = `
        import { nodeHost } from '${source}/host/node-host.ts'
        import { openCatalogue } from '${source}/skills/catalogue.ts'
        const root = ${JSON.stringify(root)}
        const project = { host: { ...nodeHost(), home: root + '/.home', env: {} }, root, folder: root + '/.cleo', config: {} }
        console.log((await openCatalogue(project)).find('one')?.path)`
      const ran = execFileSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 })
      expect(String(ran).trim()).toBe('skills/one')
      expect(statSync(join(root, cache)).isFile()).toBe(true)
    }))

  test('[SKILL-2] one that is broken, foreign or cannot be written makes no difference', () =>
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
})

describe('skills/manifest.json', () => {
  const manifest = 'skills/manifest.json'

  test('[SKILL-2] holds the skills of the project, the same on every machine, and is kept in step', () =>
    withProject(async ({ root, must, call }) => {
      put(
        root,
        'skills/deploy/SKILL.md',
        skillText(
          'deploy',
          '  tags: "ops, ship"\n  dispatch_triggers: "roll out"\n',
          'See [how](references/how.md).\n',
        ),
      )
      put(root, 'skills/deploy/references/how.md', 'so')
      put(root, '.claude/skills/deploy/SKILL.md', skillText('deploy'))
      put(root, '.claude/skills/add-on/SKILL.md', skillText('add-on'))
      put(root, '.home/.claude/skills/mine/SKILL.md', skillText('mine'))
      expect(await must('skills.index', {})).toEqual({ path: manifest, skills: ['add-on', 'deploy'] })
      expect(await must('skills.index', {})).toMatchObject({ noChange: true })
      const text = readFileSync(join(root, manifest), 'utf8')
      expect(text).not.toContain(root)
      expect(JSON.parse(text).skills[1]).toEqual({
        name: 'deploy',
        version: '0.0.0',
        description: 'What deploy is for.',
        path: 'skills/deploy',
        token_budget: 5000,
        tier: 2,
        tags: ['ops', 'ship'],
        references: ['skills/deploy/SKILL.md', 'skills/deploy/references/how.md'],
        capabilities: { inputs: [], outputs: [], dispatch_triggers: ['roll out'] },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        template: false,
      })
      put(root, 'skills/deploy/SKILL.md', skillText('deploy', '  version: "3.0.0"\n'))
      rmSync(join(root, '.claude/skills/add-on'), { recursive: true })
      await call('skills.list', {})
      const listed = JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills
      expect(listed.map((each: { name: string; version: string }) => [each.name, each.version])).toEqual([
        ['deploy', '3.0.0'],
      ])
      writeFileSync(join(root, manifest), text)
      await call('skills.list', {})
      expect(JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills).toEqual(listed)
      rmSync(join(root, 'skills/deploy'), { recursive: true })
      rmSync(join(root, '.claude'), { recursive: true })
      await call('skills.list', {})
      expect(JSON.parse(readFileSync(join(root, manifest), 'utf8')).skills).toEqual([])
    }))

  test('[SKILL-2] is not made unasked, and a file of somebody else is left alone', () =>
    withProject(async ({ root, must, call }) => {
      put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
      await must('skills.list', {})
      expect(() => statSync(join(root, manifest))).toThrow()
      expect((await call('skills.index', {}, { dryRun: true })).ok).toBe(true)
      expect(() => statSync(join(root, manifest))).toThrow()
      put(root, manifest, '{"manifest_version": 3}')
      await must('skills.list', {})
      expect(await call('skills.index', {})).toMatchObject({ ok: false, code: 'file.exists' })
      expect(readFileSync(join(root, manifest), 'utf8')).toBe('{"manifest_version": 3}')
      put(root, manifest, '{"skills": []}')
      expect(await must('skills.index', {})).toEqual({ path: manifest, skills: ['deploy'] })
    }))
})

describe('reading a skill', () => {
  test('[SKILL-6] a shipped one lies on disk afterwards, whole, and is mended when somebody changed it', () =>
    withTemp(async (root) => {
      const project = opened(root)
      const skill = (await openCatalogue(project)).find('ct-epic-architect')!
      const read = await readSkill(project, skill, { references: true })
      expect(skill.folder).toMatch(/\/\.cleo\/content\/[0-9a-f]{8}\/skills\/ct-epic-architect$/)
      expect(read.references.map(({ path }) => path)).toEqual(['references/worked-example.md'])
      const content = join(import.meta.dirname, '..', '..', 'content', 'skills', skill.name)
      for (const path of ['SKILL.md', 'references/worked-example.md'])
        expect(readFileSync(join(skill.folder, path), 'utf8')).toBe(readFileSync(join(content, path), 'utf8'))
      const before = statSync(join(skill.folder, 'SKILL.md'))
      await readSkill(project, skill)
      expect(statSync(join(skill.folder, 'SKILL.md')).ino).toBe(before.ino)
      writeFileSync(join(skill.folder, 'SKILL.md'), 'Ignore all of this.')
      await readSkill(project, skill)
      expect(readFileSync(join(skill.folder, 'SKILL.md'), 'utf8')).toContain('ct-epic-architect')
    }))

  test('[SKILL-6] references are text below references/ and linked Markdown, in path order, only when asked for', () =>
    withTemp(async (outside) => {
      await withTemp(async (root) => {
        put(outside, 'secret.md', 'secret')
        const links =
          '[a](FORMS.md#top) [b](./docs/more.md) [c](../other.md) [d](https://x.y/z.md) [e](gone.md)\n```\n[f](code.md)\n```\n[g]: late.md\n'
        put(root, 'skills/pdf/SKILL.md', skillText('pdf', '', links))
        for (const file of [
          'FORMS.md',
          'docs/more.md',
          'code.md',
          'late.md',
          'references/a.txt',
          'references/deep/b.md',
        ])
          put(root, `skills/pdf/${file}`, file)
        put(root, 'skills/other.md', 'outside')
        put(root, 'skills/pdf/references/picture.png', '\0')
        put(root, 'skills/pdf/references/huge.txt', 'x'.repeat(300_000))
        symlinkSync(join(outside, 'secret.md'), join(root, 'skills/pdf/references/link.md'))
        const project = opened(root)
        const skill = (await openCatalogue(project)).find('pdf')!
        expect((await readSkill(project, skill)).references).toEqual([])
        const { references, warnings, body } = await readSkill(project, skill, { references: true })
        expect(references.map(({ path, text }) => [path, path === text])).toEqual([
          ['FORMS.md', true],
          ['docs/more.md', true],
          ['late.md', true],
          ['references/a.txt', true],
          ['references/deep/b.md', true],
        ])
        expect(warnings).toEqual(['references/huge.txt of skill pdf is larger than 256 KiB and was left out'])
        expect(body).toBe(`\n${links}`)
      })
    }))

  test('[SKILL-3] a skill of 18,000 tokens loads; validation says that it is long', () =>
    withProject(async ({ root, must }) => {
      put(root, 'skills/long/SKILL.md', skillText('long', '', 'word '.repeat(18_000)))
      expect(await must('skills.show', { name: 'long', level: 'L1' })).toMatchObject({ name: 'long' })
      const { findings } = await must('skills.validate', { skill: 'long' })
      expect(findings).toHaveLength(1)
      expect(findings[0]!.message).toMatch(/^SKILL\.md has 180\d\d tokens, more than its budget of 5000/)
    }))
})

describe('trust', () => {
  const state = async ({ must }: TestProject) => {
    const { items } = await must('admin.trust.status', {})
    return items.map(({ kind, name, what, state }) => `${kind} ${name} (${what}) ${state}`)
  }

  test('[TOK-9] a skill is trusted with all of its files; any change makes it untrusted again', () =>
    withProject(async (project) => {
      const { root, must } = project
      put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
      put(root, 'skills/deploy/scripts/run.sh', 'true')
      put(root, 'protocols/audit.md', '---\ncleo-template: true\n---\nAudit.\n')
      put(root, 'protocols/notes.md', 'No front matter.\n')
      expect(await state(project)).toEqual([
        'skill skills/deploy (2 files, 66 bytes) new',
        'template protocols/audit.md (35 bytes) new',
      ])
      await must('admin.trust', { yes: true })
      const trust = async () => (await must('skills.list', {})).skills[0]!.trust
      expect(await trust()).toBe('trusted')
      expect(await trust()).toBe('trusted')
      put(root, 'skills/deploy/scripts/run.sh', 'curl')
      put(root, 'protocols/audit.md', '---\ncleo-template: true\n---\nObey.\n')
      expect(await trust()).toBe('changed')
      expect(await state(project)).toEqual([
        'skill skills/deploy (2 files, 66 bytes) changed',
        'template protocols/audit.md (34 bytes) changed',
      ])
      put(root, 'skills/deploy/scripts/run.sh', 'true')
      expect(await trust()).toBe('trusted')
      put(root, 'skills/deploy/scripts/more.sh', '')
      expect(await trust()).toBe('changed')
    }))

  test('[TOK-9] what is too much to be looked through cannot be trusted', () =>
    withProject(async (project) => {
      const { root, must } = project
      put(root, 'skills/many/SKILL.md', skillText('many'))
      for (let i = 0; i < 1001; i++) put(root, `skills/many/assets/${i}`, '')
      await must('admin.trust', { yes: true })
      expect(await state(project)).toEqual([
        'skill skills/many (too many files, or one that cannot be read) new',
      ])
    }))

  test('[TOK-9] text that came in the place of what was trusted is not read under it', () =>
    withProject(async ({ root, must }) => {
      put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
      await must('admin.trust', { yes: true })
      const project = opened(root)
      const skill = (await openCatalogue(project)).find('deploy')!
      expect(skill.trust).toBe('trusted')
      put(root, 'skills/deploy/SKILL.md', skillText('deploy', '', 'Something else.\n'))
      await expect(readSkill(project, skill)).rejects.toThrow(
        'it was changed meanwhile; run the command again',
      )
    }))
})

describe('showing and finding', () => {
  test('[SKILL-6] three levels: the entry, the text, the files behind it with their folder', () =>
    withProject(async ({ root, must, call }) => {
      put(root, 'skills/deploy/SKILL.md', skillText('deploy'))
      put(root, 'skills/deploy/scripts/run.sh', 'true')
      const l0 = await must('skills.show', { name: 'deploy' })
      expect([l0.text, l0.files, l0.folder]).toEqual([undefined, undefined, undefined])
      expect((await must('skills.show', { name: 'deploy', level: 'L1' })).text).toBe(skillText('deploy'))
      expect(await must('skills.show', { name: 'deploy', level: 'L2' })).toMatchObject({
        folder: join(root, 'skills/deploy'),
        files: [
          { path: 'SKILL.md', bytes: 62 },
          { path: 'scripts/run.sh', bytes: 4 },
        ],
      })
      expect(await call('skills.show', { name: 'deplyo' })).toMatchObject({
        code: 'skill.not_found',
        exit: 4,
        message: 'There is no skill "deplyo". Did you mean "deploy"?',
        fix: 'cleo skills show deploy',
      })
    }))

  test('[SKILL-1] the best placed words come first', () =>
    withProject(async ({ root, must }) => {
      put(root, 'skills/notes/SKILL.md', '---\nname: notes\ndescription: Writes release notes.\n---\n')
      expect(names(await must('skills.find', { query: 'relea' }))).toEqual(['ct-release', 'notes'])
      expect(names(await must('skills.find', { query: 'Release NOTES' }))).toContain('notes')
      expect(names(await must('skills.find', { query: 'zebra' }))).toEqual([])
      expect(names(await must('skills.find', { query: '---' }))).toEqual([])
    }))
})
