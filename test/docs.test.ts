import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { findCommand } from '../src/operation/commands.ts'
import { load } from '../src/perform/generated/load.ts'
import { parseArgs } from '../src/surface/cli/args.ts'
import { serverCommandAt } from '../src/surface/cli/servers.ts'
import { takeInput } from '../src/surface/cli/standard-input.ts'
import { executable, run } from './support/cleo.ts'
import { shellWords } from './support/shell-words.ts'
import { withTemp } from './support/temp.ts'

const root = join(import.meta.dirname, '..')
const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
].sort()
const read = (page: string) => readFileSync(join(root, page), 'utf8')

interface Mention {
  command: string
  /** Whether the line can be typed without a change. False for a command in a sentence. */
  whole: boolean
}

/** Returns the commands of cleo in a text. They are lines of code blocks, or code spans. */
const mentions = (text: string): Mention[] => {
  const found: Mention[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^```(\w*)/.exec(line)
    if (mark) fence = fence === undefined ? mark[1] : undefined
    else if (fence !== undefined) {
      // In a line that starts with `next:`, two blanks separate the command from its purpose.
      const shown = /^\s*next: /.test(line) ? line.replace(/(\S) {2,}.*$/, '$1') : line
      const command = /^\s*(?:\$ |(?:fix|then|next): )?(cleo( .*|$))/.exec(shown)?.[1]
      if (command) found.push({ command, whole: !/[<[…]/.test(command.replace(/ < /, ' ')) })
    } else {
      for (const [, command] of line.matchAll(/`(cleo [^`]*)`/g))
        found.push({ command: command!, whole: false })
    }
  }
  return found
}

/** Commands that are not operations. */
const servers = ['hook', 'quickstart']

/** Returns what is wrong with a command that a page names; undefined if it can be typed. */
const complaint = async ({ command, whole }: Mention): Promise<string | undefined> => {
  const line = command.split(/ (?:&&|\||<|>|#) /)[0]!.replace(/ \[flags\]$/, '')
  if (servers.includes(line.split(' ')[1]!)) return undefined
  const found = findCommand(shellWords(line).slice(1))
  if (found.stray === 'help' || found.rest.includes('--help')) return undefined
  if (serverCommandAt(found)) return undefined
  if (!found.command) return found.stray || !found.path ? 'there is no such command' : undefined
  const parsed = parseArgs(found.rest, found.command)
  if (parsed.fromInput) takeInput(parsed, parsed.fromInput, { text: '[{"title":"Form"}]' })
  const misfit = parsed.problems.find(({ message }) => whole || !/ is missing[.:]/.test(message))
  if (misfit) return misfit.message
  const { success, issues } = v.safeParse((await load(found.command.operation))!.input, parsed.input)
  return whole && !success ? issues[0].message : undefined
}

describe('every command a page names can be typed', () => {
  for (const page of pages) {
    test(page, async () => {
      const wrong: string[] = []
      for (const mention of mentions(read(page))) {
        const why = await complaint(mention)
        if (why) wrong.push(`${mention.command}: ${why}`)
      }
      expect(wrong).toEqual([])
    })
  }

  test.each([
    ['```sh\ncleo frobnicate T001\n```', 'cleo frobnicate T001: there is no such command'],
    ['Say `cleo list --open`.', 'cleo list --open: Unknown flag --open.'],
    ['```console\n$ cleo add X --size huge\n```', 'cleo add X --size huge: '],
  ])('a command that cannot is noticed: %j', async (text, expected) => {
    const [mention] = mentions(text)
    expect(`${mention!.command}: ${await complaint(mention!)}`).toContain(expected)
  })
})

test('every link between pages has a target', () => {
  const lost = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)]
      .filter(([, target]) => !existsSync(join(root, dirname(page), target!)))
      .map(([, target]) => `${page}: ${target}`),
  )
  expect(lost).toEqual([])
})

test('[PROV-2] the pages of clients name the versions that are tested', () => {
  const versions = JSON.parse(readFileSync(join(root, 'test/clients/versions.json'), 'utf8')) as Record<
    string,
    { version: string }
  >
  const guide = readFileSync(join(root, 'docs/guide/clients.md'), 'utf8')
  for (const [name, { version }] of Object.entries(versions)) {
    if (name === 'inspector') continue
    const page = name === 'claude' ? 'claude-code' : name
    expect(guide).toContain(`[${version}](clients/${page}.md)`)
    const text = readFileSync(join(root, `docs/guide/clients/${page}.md`), 'utf8')
    expect(text).toContain(`Tested with ${version}.`)
    expect(text).toContain(`](${name}.svg)`)
    const picture = readFileSync(join(root, `docs/guide/clients/${name}.svg`), 'utf8')
    expect(picture).toContain(` ${version}, with a scripted model`)
  }
})

test('every npm script a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
  )
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('[OPS-4] the example in the guide of the library runs', () =>
  withTemp((folder) => {
    const example = /```ts\n(.*?)```/s.exec(read('docs/guide/library.md'))![1]!
    const library = join(root, 'dist', 'index.js')
    writeFileSync(join(folder, 'example.mjs'), example.replace("'cleo'", JSON.stringify(library)))
    const cleo = (...args: string[]) => run(executable, args, { cwd: folder })
    cleo('init')
    for (const title of ['Accounts', 'Hashing']) cleo('add', title)
    cleo('add', 'Form', '--depends', 'T002')
    const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: join(folder, '.home'), USER: 'ada' },
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "now ready: [ 'T003' ]\n", stderr: '' })
  }))
