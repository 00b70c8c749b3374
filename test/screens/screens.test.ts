import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { samples } from '../../scripts/error-page.ts'
import { fail } from '../../src/kernel/result.ts'
import { allWords } from '../../src/operation/commands.ts'
import { type Code, catalogue } from '../../src/refusals/refusal-catalogue.ts'
import { failureLines } from '../../src/surface/cli/failure-lines.ts'
import { styleFor } from '../../src/terminal/terminal.ts'
import { widthOf } from '../../src/terminal/text-width.ts'
import { wrapLines } from '../../src/terminal/wrap-lines.ts'
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

/** Draws each command at each width. A screen that equals the one at the previous width is not repeated. */
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
    /** The coloured screens, by width and command. */
    const painted = new Map<string, string>()
    const screenOf = (command: string, width: number) => painted.get(`${width} ${command}`)!

    for (const command of commands) {
      test(`cleo ${command}: colours add nothing but colour, and no line is too wide`, async () => {
        const draw = (width: number, env: Record<string, string>) =>
          shown(projects.of(name), shellWords(command), { width, env })
        for (const width of widths) {
          painted.set(`${width} ${command}`, await draw(width, coloured))
          const lines = withoutColour(screenOf(command, width)).split('\n')
          expect(lines.filter((line) => isTooWide(line, width))).toEqual([])
        }
        for (const width of [20, 80])
          expect(withoutColour(await draw(width, coloured))).toBe(await draw(width, { NO_COLOR: '1' }))
      })
    }

    test('look as in the golden file', () =>
      compare(
        name,
        drawn(commands, (command, width) => withoutColour(screenOf(command, width))),
      ))

    test('have the colours of the golden file', () =>
      compare(
        `${name}-colours`,
        drawn(commands, (command, width) => tagged(screenOf(command, width))),
      ))
  })
}

test('[OUT-1] every refusal of the catalogue, at 50, 80, 120 and 160 columns', () => {
  const style = (width: number) => styleFor({ NO_COLOR: '1' }, { isTerminal: true, width })
  const screenOf = (code: string, width: number) =>
    `${wrapLines(failureLines(fail(code as Code, samples[code as Code] as never), style(width)), width).join(
      '\n',
    )}\n`
  const codes = Object.keys(catalogue())
  for (const code of codes)
    for (const width of widths)
      expect(
        screenOf(code, width)
          .split('\n')
          .filter((line) => isTooWide(line, width)),
        code,
      ).toEqual([])
  compare('catalogue', drawn(codes, screenOf).replaceAll('$ cleo ', '# '))
})

/** Whether a line is too wide although it could be broken. A path or a long word cannot be broken. */
const isTooWide = (line: string, width: number): boolean =>
  widthOf(line) > width &&
  line.trim().replace(/ \\$/, '').includes(' ') &&
  !/\S{20,}|"[^"]{20,}"|'[^']{20,}'/.test(line)

test('[OUT-1] help says the same at every width', async () => {
  for (const command of [...screens['help']!, ...allWords().map((words) => `${words} --help`)]) {
    const said: string[] = []
    for (const width of [20, ...widths]) {
      const page = await shown(projects.of('work'), shellWords(command), { width, env: { NO_COLOR: '1' } })
      said.push(page.replaceAll(' \\\n', ' ').split(/\s+/).join(' '))
      const tooWide = page.split('\n').filter((line) => isTooWide(line, width))
      if (width > 20) expect(tooWide, command).toEqual([])
    }
    expect(new Set(said).size, command).toBe(1)
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
