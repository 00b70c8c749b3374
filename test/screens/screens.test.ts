import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allWords } from '../../src/operation/commands.ts'
import { widthOf } from '../../src/terminal/text-width.ts'
import { shellWords } from '../support/shell-words.ts'
import { plantShop, plantWorktrees } from './project.ts'
import { shown, tagged, withoutColour } from './shown.ts'

const widths = [50, 80, 120, 160]
const coloured = { FORCE_COLOR: '1' }

/** The commands of each golden file. */
const screens: Record<string, readonly string[]> = {
  work: [
    'board',
    'board T001',
    'tree',
    'status',
    'log --limit 8',
    'log --task T002 --details',
    'show T001',
    'show T002',
    'show T003',
    'next',
    'ready',
  ],
  lists: [
    'list',
    'list T001 --all',
    'find password',
    'deps T006',
    'analyze T001',
    'inbox',
    'spawn list',
    'manifest list',
    'manifest show T002-compare-password-hashing',
    'memory find bcrypt',
    'consensus list',
    'skills list',
    'agent list',
    'verify T005',
    'list --status done,cancelled --sort updated',
    'list --ready',
    'memory show M1',
  ],
  settings: ['config list', 'trust', 'doctor', 'lifecycle show T001', 'run list'],
  worktrees: [
    'worktree list',
    'session list',
    'status',
    'complete T001 T002',
    'spawn T002 T003 --ref',
    'land T001',
    'receive T003',
  ],
  refusals: [
    'show T999',
    'complete T001',
    'complete T005 --as T005.1',
    'list --status open --limit x --colour',
    'add "" --parent T999 --depends T998 --priority urgent',
    'focus set T006',
    'spawn T003 --as T005.1',
    'stauts',
    'issue create --title Form',
    'show T998 T999',
    'undo --as bob',
    'watch everything',
  ],
  help: [
    '--help',
    'help add',
    'help spawn',
    'help verify',
    'session',
    'help watch',
    'help mcp',
    'help flags',
    'admin help --tier 0',
  ],
}

let root: string
/** The same project for refusals: a refused command of a spawn is a sign of life, and other screens show it as quiet. */
let refusing: string
let withWorktrees: string
beforeAll(async () => {
  ;[root, refusing, withWorktrees] = [1, 2, 3].map(() =>
    mkdtempSync(join(realpathSync(tmpdir()), 'cleo-test-')),
  ) as [string, string, string]
  await plantShop(root)
  await plantShop(refusing)
  await plantWorktrees(withWorktrees)
})
afterAll(() => {
  for (const folder of [root, refusing, withWorktrees]) rmSync(folder, { recursive: true, force: true })
})
const folderOf = (command: string, name?: string): string =>
  name === 'worktrees' ? withWorktrees : screens['refusals']!.includes(command) ? refusing : root

const golden = (name: string): string => join(import.meta.dirname, `${name}.txt`)

/** A golden file: each command at each width; a screen that is the same at a larger width is there once. */
const drawing = async (name: string, commands: readonly string[]): Promise<string> => {
  let text = ''
  for (const command of commands) {
    text += `$ cleo ${command}\n`
    let last = ''
    for (const width of widths) {
      const screen = await shown(folderOf(command, name), shellWords(command), {
        width,
        env: { NO_COLOR: '1' },
      })
      text += screen === last ? `--- ${width}: the same\n` : `--- ${width}\n${screen}`
      last = screen
    }
    text += '\n'
  }
  return text
}

const compare = (name: string, text: string): void => {
  if (process.env['UPDATE']) writeFileSync(golden(name), text)
  expect(text).toBe(readFileSync(golden(name), 'utf8'))
}

for (const [name, commands] of Object.entries(screens)) {
  describe(`[OUT-1] ${name} at 50, 80, 120 and 160 columns`, () => {
    test('look as in the golden file', async () => compare(name, await drawing(name, commands)))

    for (const command of commands) {
      test(`cleo ${command}: colours add nothing but colour, and no line is too wide`, async () => {
        for (const width of [20, ...widths]) {
          const folder = folderOf(command, name)
          const plain = await shown(folder, shellWords(command), { width, env: { NO_COLOR: '1' } })
          const painted = await shown(folder, shellWords(command), { width, env: coloured })
          expect(withoutColour(painted)).toBe(plain)
          if (width > 20) expect(plain.split('\n').filter((line) => isTooWide(line, width))).toEqual([])
        }
      })
    }
  })
}

/** A path or another word without blanks cannot be broken. */
const isTooWide = (line: string, width: number): boolean =>
  widthOf(line) > width && line.trim().replace(/ \\$/, '').includes(' ') && !/\S{20,}|"[^"]{20,}"/.test(line)

test('[OUT-1] colours by meaning, at 80 columns', async () => {
  let text = ''
  for (const command of [
    ...['board', 'tree', 'list', 'status', 'show T003', 'complete T005 --as T005.1'],
    ...['ready', 'log --limit 4', 'analyze T001', 'trust', 'inbox'],
  ])
    text += `$ cleo ${command}\n${tagged(await shown(folderOf(command), shellWords(command), { width: 80, env: coloured }))}\n`
  compare('colours', text)
})

test('[OUT-1] help says the same at every width', async () => {
  for (const command of [...screens['help']!, ...allWords().map((words) => `${words} --help`)]) {
    const words = async (width: number) =>
      (await shown(root, shellWords(command), { width, env: { NO_COLOR: '1' } }))
        .replaceAll(' \\\n', ' ')
        .split(/\s+/)
        .join(' ')
    const all = await words(160)
    for (const width of [20, 50, 80, 120]) expect(await words(width), `${command}, ${width}`).toBe(all)
    for (const width of [50, 80, 120]) {
      const page = await shown(root, shellWords(command), { width, env: { NO_COLOR: '1' } })
      expect(
        page.split('\n').filter((line) => isTooWide(line, width)),
        command,
      ).toEqual([])
    }
  }
})

test('[OUT-1] a pipe gets the same whatever COLUMNS says, without colour', async () => {
  for (const command of [...screens['work']!, ...screens['lists']!]) {
    const wide = await shown(root, shellWords(command), { env: { COLUMNS: '160', TERM: 'xterm' } })
    expect(await shown(root, shellWords(command), { env: { COLUMNS: '30' } })).toBe(wide)
    expect(wide).not.toContain('\u001b')
  }
})

test('[OUT-1] without UTF-8 every mark is ASCII', async () => {
  for (const locale of [
    { LANG: 'C', LC_ALL: '' },
    { LANG: 'en_US.UTF-8', LC_ALL: 'POSIX' },
  ])
    for (const command of [
      'board T008',
      'tree T008',
      'list T008',
      'status T008',
      'show T999',
      'complete T003',
      '--help',
      'help add',
    ])
      for (const width of [undefined, 60])
        expect(await shown(root, shellWords(command), { width, env: { NO_COLOR: '1', ...locale } })).toMatch(
          /^[\n\x20-\x7e]*$/,
        )
  expect(await shown(root, ['list'], { env: { LC_ALL: 'C', LANG: 'de_DE.UTF-8' } })).toContain('登録')
  expect(await shown(root, ['tree'], { env: { LC_ALL: 'de_DE.utf8', LANG: 'C' } })).toContain('○')
})
