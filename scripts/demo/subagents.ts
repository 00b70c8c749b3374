import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Demo } from './demo.ts'
import { commit, write } from './shop.ts'

/** The return line of a subagent: all that the orchestrator reads of its work. */
const complete = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** The folder that a prompt tells its subagent to work in. */
const workFolder = ({ folder }: Demo, spawn: string): string => {
  const prompt = readFileSync(join(folder, '.cleo', 'spawns', `${spawn}.md`), 'utf8')
  return /^Work in {2}(\S+)/m.exec(prompt)![1]!
}

const priceTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/shop.js'

test('cents are shown as euros', () => assert.equal(price(1250), '12.50 €'))
test('fractions of a cent are refused', () => assert.throws(() => price(0.5)))
`

const cartTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/shop.js'

test('a cart is added up', () => assert.equal(total([{ cents: 250, count: 2 }, { cents: 99, count: 1 }]), 599))
`

/** Writes a test and no code, sees that it fails, and returns that it is done. */
export const lazy = async (demo: Demo): Promise<string> => {
  const folder = workFolder(demo, 'T002.1')
  await demo.agent('T002.1', folder, ['focus', 'set', 'T002'], { says: 'T002.1, until it is received' })
  write(folder, 'test/price.test.js', priceTest)
  await commit(demo, folder, 'Test prices', 'T002')
  await demo.agent('T002.1', folder, ['verify', 'T002', '--gate', 'testsPassed', '--evidence', 'tool:test'], {
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
  /** The line with which `src/shop.js` exports the work. */
  exported: string
  summary: string
  finding: string
}

/** Does the work in the folder of the spawn, and submits it with one command. */
const implement = async (demo: Demo, work: Work): Promise<string> => {
  const { spawn, task, files, summary, finding } = work
  const folder = workFolder(demo, spawn)
  const act = (words: string[], says: string) => demo.agent(spawn, folder, words, { says })
  await act(['focus', 'set', task], `${spawn}, until it is received`)
  for (const [path, text] of Object.entries(files)) write(folder, path, text)
  const shop = join(folder, 'src/shop.js')
  writeFileSync(shop, `${readFileSync(shop, 'utf8')}${work.exported}\n`)
  await commit(demo, folder, work.subject, task)
  fillOutput(folder, task, summary)
  const proof = ['--criterion', `1=files:${Object.keys(files)[1]}`]
  await act(['finish', task, '--finding', finding, ...proof], task)
  return complete
}

/** Fills in the file that `focus set` made. */
const fillOutput = (folder: string, task: string, summary: string): void => {
  const outputs = join(folder, 'claudedocs', 'agent-outputs')
  const name = readdirSync(outputs).find((file) => file.startsWith(`${task}-`))!
  const text = readFileSync(join(outputs, name), 'utf8')
  writeFileSync(join(outputs, name), text.replace(/(## Summary\n)[^#]*/, `$1\n${summary}\n\n`))
}

export const buildPrices = (demo: Demo, spawn: string): Promise<string> =>
  implement(demo, {
    spawn,
    task: 'T002',
    subject: 'Show prices in euros',
    files: {
      'src/price.js': `export const price = (cents) => {
  if (!Number.isInteger(cents)) throw new RangeError(\`\${cents} is not a whole number of cents\`)
  return \`\${(cents / 100).toFixed(2)} €\`
}
`,
      'test/price.test.js': priceTest,
    },
    exported: `export { price } from './price.js'`,
    summary: 'src/price.js turns whole cents into euros and refuses anything else.',
    finding: 'price(cents) takes whole cents and throws a RangeError for anything else.',
  })

export const buildCart = (demo: Demo, spawn: string): Promise<string> =>
  implement(demo, {
    spawn,
    task: 'T003',
    subject: 'Add up a cart',
    files: {
      'src/cart.js': `export const total = (items) => items.reduce((sum, { cents, count }) => sum + cents * count, 0)
`,
      'test/cart.test.js': cartTest,
    },
    exported: `export { total } from './cart.js'`,
    summary: 'src/cart.js adds up a cart, in cents.',
    finding: 'total(items) gives the sum in cents.',
  })
