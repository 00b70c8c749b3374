import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { load } from '../src/perform/generated/load.ts'
import { findCommand, parseArgs } from '../src/surface/cli/args.ts'
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
  /** A line to type as it stands, not a name in a sentence. */
  whole: boolean
}

/** The lines of code blocks that call cleo, and the code spans that do. */
const mentions = (text: string): Mention[] => {
  const found: Mention[] = []
  let fence: string | undefined
  for (const line of text.split('\n')) {
    const mark = /^```(\w*)/.exec(line)
    if (mark) fence = fence === undefined ? mark[1] : undefined
    else if (fence !== undefined) {
      const command = /^\s*(?:\$ |(?:fix|then|next): )?(cleo( .*|$))/.exec(line)?.[1]
      if (command) found.push({ command, whole: !/[<[…]/.test(command.replace(/ < /, ' ')) })
    } else {
      for (const [, command] of line.matchAll(/`(cleo [^`]*)`/g))
        found.push({ command: command!, whole: false })
    }
  }
  return found
}

/** Commands that are no operations. */
const servers = ['hook']

/** What is wrong with a command that a page names; nothing, when it can be typed. */
const complaint = async ({ command, whole }: Mention): Promise<string | undefined> => {
  const line = command.split(/ (?:&&|\||<|>|#) /)[0]!.replace(/ \[flags\]$/, '')
  if (servers.includes(line.split(' ')[1]!)) return undefined
  const found = findCommand(shellWords(line).slice(1))
  if (found.stray === 'help' || found.rest.includes('--help')) return undefined
  if (serverCommandAt(found)) return undefined
  if (!found.command) return found.stray || !found.path ? 'there is no such command' : undefined
  const parsed = parseArgs(found.rest, found.command)
  if (parsed.fromInput) takeInput(parsed, parsed.fromInput, { text: '[{"title":"Form"}]' })
  const misfit = parsed.problems.find(({ message }) => whole || !message.endsWith('is missing.'))
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

test('every npm script a page names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
  )
  expect([...new Set(named)].filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

test('[OPS-4] the library example of the README runs', () =>
  withTemp((folder) => {
    const example = /```ts\n(.*?)```/s.exec(read('README.md'))![1]!
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
