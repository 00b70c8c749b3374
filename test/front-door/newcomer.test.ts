import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable } from '../support/cleo.ts'
import { parseTranscript, runTranscript, type Section } from '../support/transcript.ts'

const readme = readFileSync(join(import.meta.dirname, '../..', 'README.md'), 'utf8')
const byHand = /^## Use it by hand\n(.*?)^## /ms.exec(readme)![1]!

/** The blocks that a reader sees. The README asks the reader to have a repository, and a hidden block makes one. */
const seen = [...byHand.matchAll(/^```console\n(.*?)^```/gms)].flatMap(([, text]) => parseTranscript(text!))
const repository: Section = {
  heading: [],
  steps: ['$ git init -q -b main .', '$ git commit -q --allow-empty -m "Begin"'].map((line) => ({
    lines: [line],
    output: [],
  })),
}

test('[TREE-7] with only the README, a newcomer has landed a task in under ten commands of cleo', async () => {
  const commands = seen.flatMap(({ steps }) =>
    steps.flatMap(({ lines }) => lines.join(' ').match(/\bcleo [a-z]+/g) ?? []),
  )
  expect(commands[0]).toBe('cleo init')
  expect(commands.at(-1)).toBe('cleo land')
  expect(commands.length).toBeLessThan(10)
  const hidden = [...byHand.matchAll(/<!-- also run\n(.*?)-->/gs)].map(([, text]) => text)
  expect(hidden, 'only the repository').toEqual([
    repository.steps.map(({ lines }) => `${lines[0]}\n`).join(''),
  ])

  const ran = await runTranscript([repository, ...seen], executable)
  const steps = ran.flatMap((section) => section.steps)
  expect(steps.filter(({ output }) => output.some((line) => line.startsWith('[exit ')))).toEqual([])
  expect(steps.at(-1)!.output[0]).toBe('✓ cleo/T001 → main: 1 commit, 1 task')
})

test('the first screen shows the refusal before anything else, and no sed', () => {
  const screen = readme
    .split('\n')
    .slice(0, 60)
    .join('\n')
    .replaceAll(/<!--.*?-->/gs, '')
  expect(screen.indexOf('claims to be done')).toBeGreaterThan(0)
  expect(screen.indexOf('claims to be done')).toBeLessThan(screen.indexOf('## Install'))
  expect(screen.replaceAll(/\n+/g, '\n').split('\n').length).toBeLessThan(45)
  expect(readme).not.toMatch(/\bsed /)
  for (const command of ['npm ci && npm run demo', 'npm ci && npm test']) expect(readme).toContain(command)
})
