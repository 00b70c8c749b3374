import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allWords } from '../../src/operation/commands.ts'
import { widthOf } from '../../src/terminal/text-width.ts'
import { shellWords } from '../support/shell-words.ts'
import { screens } from './commands.ts'
import { plantProjects } from './project.ts'
import { shown, tagged, withoutColour } from './shown.ts'

const widths = [50, 80, 120, 160]
const coloured = { FORCE_COLOR: '1' }

let projects: Awaited<ReturnType<typeof plantProjects>>
beforeAll(async () => {
  projects = await plantProjects()
})
afterAll(() => projects.remove())

const golden = (name: string): string => join(import.meta.dirname, `${name}.txt`)

const compare = (name: string, text: string): void => {
  if (process.env['UPDATE']) writeFileSync(golden(name), text)
  expect(text).toBe(readFileSync(golden(name), 'utf8'))
}

/** Each command at each width; a screen that is the same at a larger width is there once. */
const drawn = (commands: readonly string[], screenOf: (command: string, width: number) => string): string => {
  let text = ''
  for (const command of commands) {
    text += `$ cleo ${command}\n`
    let last = ''
    for (const width of widths) {
      const screen = screenOf(command, width)
      text += screen === last ? `--- ${width}: the same\n` : `--- ${width}\n${screen}`
      last = screen
    }
    text += '\n'
  }
  return text
}

for (const [name, commands] of Object.entries(screens)) {
  describe(`[OUT-1] ${name} at 50, 80, 120 and 160 columns`, () => {
    /** The screens with colours as tags, by command and width. */
    const painted = new Map<string, string>()
    const plain = new Map<string, string>()

    for (const command of commands) {
      test(`cleo ${command}: colours add nothing but colour, and no line is too wide`, async () => {
        for (const width of [20, ...widths]) {
          const folder = projects.of(name)
          const key = `${width} ${command}`
          plain.set(key, await shown(folder, shellWords(command), { width, env: { NO_COLOR: '1' } }))
          painted.set(key, await shown(folder, shellWords(command), { width, env: coloured }))
          expect(withoutColour(painted.get(key)!)).toBe(plain.get(key))
          if (width > 20)
            expect(
              plain
                .get(key)!
                .split('\n')
                .filter((line) => isTooWide(line, width)),
            ).toEqual([])
        }
      })
    }

    test('look as in the golden file', () =>
      compare(
        name,
        drawn(commands, (command, width) => plain.get(`${width} ${command}`)!),
      ))

    test('have the colours of the golden file', () =>
      compare(
        `${name}-colours`,
        drawn(commands, (command, width) => tagged(painted.get(`${width} ${command}`)!)),
      ))
  })
}

/** A path or another word without blanks cannot be broken. */
const isTooWide = (line: string, width: number): boolean =>
  widthOf(line) > width && line.trim().replace(/ \\$/, '').includes(' ') && !/\S{20,}|"[^"]{20,}"/.test(line)

test('[OUT-1] help says the same at every width', async () => {
  for (const command of [...screens['help']!, ...allWords().map((words) => `${words} --help`)]) {
    const words = async (width: number) =>
      (await shown(projects.of('work'), shellWords(command), { width, env: { NO_COLOR: '1' } }))
        .replaceAll(' \\\n', ' ')
        .split(/\s+/)
        .join(' ')
    const all = await words(160)
    for (const width of [20, 50, 80, 120]) expect(await words(width), `${command}, ${width}`).toBe(all)
    for (const width of [50, 80, 120]) {
      const page = await shown(projects.of('work'), shellWords(command), { width, env: { NO_COLOR: '1' } })
      expect(
        page.split('\n').filter((line) => isTooWide(line, width)),
        command,
      ).toEqual([])
    }
  }
})

test('[OUT-1] a pipe gets the same whatever COLUMNS says, without colour', async () => {
  for (const command of [...screens['work']!, ...screens['lists']!]) {
    const wide = await shown(projects.of('work'), shellWords(command), {
      env: { COLUMNS: '160', TERM: 'xterm' },
    })
    expect(await shown(projects.of('work'), shellWords(command), { env: { COLUMNS: '30' } })).toBe(wide)
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
        expect(
          await shown(projects.of('work'), shellWords(command), { width, env: { NO_COLOR: '1', ...locale } }),
        ).toMatch(/^[\n\x20-\x7e]*$/)
  expect(await shown(projects.of('work'), ['list'], { env: { LC_ALL: 'C', LANG: 'de_DE.UTF-8' } })).toContain(
    '登録',
  )
  expect(await shown(projects.of('work'), ['tree'], { env: { LC_ALL: 'de_DE.utf8', LANG: 'C' } })).toContain(
    '○',
  )
})
