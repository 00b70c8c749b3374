import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from './demo.ts'
import { commit, write } from './shop.ts'

/** The return line of a subagent: all that the orchestrator reads of its work. */
const complete = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** Runs the tests, sees that they fail, and returns that it is done. */
export const lazy = ({ agent }: Demo): string => {
  agent('T002.1', ['focus', 'set', 'T002'], { says: 'T002.1, until it is received' })
  agent('T002.1', ['verify', 'T002', '--gate', 'testsPassed', '--evidence', 'tool:test'], {
    exit: 41,
    says: 'test',
    lines: 8,
  })
  return complete
}

interface Work {
  spawn: string
  task: string
  subject: string
  files: Record<string, string>
  summary: string
  findings: readonly [string, ...string[]]
}

/** Does the work, and submits it with one command. */
const implement = (demo: Demo, { spawn, task, subject, files, summary, findings }: Work): string => {
  const act = (words: string[], says: string) => demo.agent(spawn, words, { says })
  act(['focus', 'set', task], `${spawn}, until it is received`)
  for (const [path, text] of Object.entries(files)) write(demo, path, text)
  commit(demo, subject, task)
  fillOutput(demo, task, summary)
  const flags = findings.flatMap((finding) => ['--finding', finding])
  const proof = ['--criterion', `1=files:${Object.keys(files)[1]}`]
  act(['finish', task, ...flags, ...proof], `${task} done`)
  return complete
}

/** Fills in the file that `focus set` made. */
const fillOutput = ({ folder }: Demo, task: string, summary: string): void => {
  const outputs = join(folder, 'claudedocs', 'agent-outputs')
  const name = readdirSync(outputs).find((file) => file.startsWith(`${task}-`))!
  const text = readFileSync(join(outputs, name), 'utf8')
  writeFileSync(join(outputs, name), text.replace(/(## Summary\n)[^#]*/, `$1\n${summary}\n\n`))
}

export const builder = (demo: Demo): string =>
  implement(demo, {
    spawn: 'T002.2',
    task: 'T002',
    subject: 'Show prices in euros',
    files: {
      'src/price.js': `export const price = (cents) => {
  if (!Number.isInteger(cents)) throw new RangeError(\`\${cents} is not a whole number of cents\`)
  return \`\${(cents / 100).toFixed(2)} €\`
}
`,
      'test/price.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.js'

test('cents are shown as euros', () => assert.equal(price(1250), '12.50 €'))
test('fractions of a cent are refused', () => assert.throws(() => price(0.5)))
test('nothing costs 0.00 €', () => assert.equal(price(0), '0.00 €'))
`,
    },
    summary: 'src/price.js turns whole cents into euros and refuses anything else.',
    findings: ['price(cents) takes whole cents and throws a RangeError for anything else.'],
  })

export const adder = (demo: Demo): string =>
  implement(demo, {
    spawn: 'T003.1',
    task: 'T003',
    subject: 'Add up a cart',
    files: {
      'src/cart.js': `import { price } from './price.js'

export const total = (items) => price(items.reduce((sum, { cents, count }) => sum + cents * count, 0))
`,
      'test/cart.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('a cart is added up', () => assert.equal(total([{ cents: 250, count: 2 }, { cents: 99, count: 1 }]), '5.99 €'))
`,
    },
    summary: 'src/cart.js adds up a cart and shows the sum with the price of T002.',
    findings: ['total(items) gives the sum as text, through price().'],
  })
