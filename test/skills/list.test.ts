import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { discoverSkills } from '../../src/skills/discover.ts'
import { openCatalogue } from '../../src/skills/skill-catalogue.ts'
import { configure } from '../support/configure.ts'
import { withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'
import { names, opened, put, shippedNames, skillText } from './skill-files.ts'

test('[SKILL-1] project, user and shipped skills are searched in this order; the first wins and names what it shadows', () =>
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
    expect(names({ skills: skills.slice(4) })).toEqual(shippedNames.filter((name) => name !== 'ct-release'))
  }))

test('[SKILL-1] further folders come from the configuration, and lists are paged', () =>
  withTemp(async (root) => {
    put(root, 'tools/skills/lint/SKILL.md', skillText('lint'))
    const catalogue = await openCatalogue(opened(root, { config: { skills: { paths: ['tools/skills/'] } } }))
    expect(catalogue.find('lint')).toMatchObject({ path: 'tools/skills/lint', origin: 'project' })
    await withProject(async ({ call, must }) => {
      const first = await call('skills.list', { limit: 4 })
      expect(first.ok && first.page).toEqual({ total: shippedNames.length, limit: 4, next: '4' })
      expect(names(await must('skills.list', { limit: 4, after: 4 }))).toEqual(shippedNames.slice(4, 8))
    })
  }))

test('[SKILL-1] a collection of 1,200 skills in one folder is found whole; beyond 5,000 folders the rest is reported', () =>
  withTemp(async (root) => {
    const project = opened(root)
    for (let n = 0; n < 1200; n++) put(root, `skills/skill-${n}/SKILL.md`, skillText(`skill-${n}`))
    const whole = discoverSkills(project)
    expect(whole.found).toHaveLength(1200)
    expect(whole.problems).toEqual([])
    for (let n = 1200; n <= 5000; n++) mkdirSync(join(root, 'skills', `_shared-${n}`))
    expect(discoverSkills(project).problems.map(({ file, message }) => `${file} ${message}`)).toEqual([
      'skills has more than 5000 folders; only the first 5000 are read',
    ])
  }))

test('[SKILL-3] a folder that is not a skill is reported, and the others are found', () =>
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
      [
        'skills/hostile/SKILL.md',
        2,
        'has the name "a\\n## Protocol", which contains "\\n"; a name begins with a letter or digit, and may also have spaces and . _ : -',
      ],
      ['skills/nameless/SKILL.md', 1, 'has no name'],
      ['skills/plain/SKILL.md', 1, 'has no front matter'],
      [
        'skills/wrong-name/SKILL.md',
        undefined,
        'has the name "right-name", which differs from its folder, "wrong-name"',
      ],
    ])
    const own = catalogue.list().filter(({ origin }) => origin === 'project')
    expect(names({ skills: own })).toEqual(['good', 'right-name'])
  }))

test('[SKILL-1] a link out of the project is not followed; a link inside is the same skill once', () =>
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
        'skills/stolen points outside the project and is not followed',
        '.claude/skills points outside the project and is not followed',
        '.agents/skills/linked-file/SKILL.md is a link',
      ])
    }),
  ))

test('[SKILL-1] every folder is searched: take the winner away and the next one in the order wins', () =>
  withProject(async (begun) => {
    const { root, must } = begun
    // The folders in the documented order. The shipped skill of the same name comes last.
    const folders: [folder: string, path: string, origin: string][] = [
      ['skills', 'skills', 'project'],
      ['.claude/skills', '.claude/skills', 'project'],
      ['.agents/skills', '.agents/skills', 'project'],
      ['tools/skills', 'tools/skills', 'project'],
      ['.home/.cleo/skills', '~/.cleo/skills', 'user'],
      ['.home/.claude/skills', '~/.claude/skills', 'user'],
      ['.home/.agents/skills', '~/.agents/skills', 'user'],
    ]
    for (const [i, [folder]] of folders.entries())
      put(root, `${folder}/ct-release/SKILL.md`, skillText('ct-release', `  version: "${i}.0.0"\n`))
    const project = await configure(begun, { skills: { paths: ['tools/skills'] } })
    const listed = async () =>
      (await project.must('skills.list', {})).skills.filter(({ name }) => name === 'ct-release')
    for (const [i, [folder, path, origin]] of folders.entries()) {
      const shadows = [...folders.slice(i + 1).map(([, other]) => `${other}/ct-release`), 'shipped']
      expect(await listed()).toMatchObject([
        { version: `${i}.0.0`, origin, path: `${path}/ct-release`, shadows },
      ])
      const shown = await project.must('skills.show', { name: 'ct-release', level: 'L1' })
      expect(shown.text, 'the winner is the one that is read').toContain(`version: "${i}.0.0"`)
      rmSync(join(root, folder, 'ct-release'), { recursive: true })
    }
    const [last] = await listed()
    expect(last).toMatchObject({ origin: 'shipped' })
    expect(last).not.toHaveProperty('shadows')
    expect(last).not.toHaveProperty('path')
    expect(names(await must('skills.list', {}))).toEqual(shippedNames)
  }))
