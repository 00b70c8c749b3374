import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commit, write } from './shop.ts'
import type { Theatre } from './theatre.ts'

/** What a subagent returns, and all the orchestrator ever sees of it. */
const complete = 'Implementation complete. See MANIFEST.jsonl for summary.'

/** Looks at the task, sees that the tests fail, and says that it is done. */
export const lazy = ({ agent }: Theatre): string => {
  agent('T002.1', ['focus', 'set', 'T002'], { says: 'T002.1 until' })
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

/** Does what its prompt asks, in the order the prompt gives. */
const diligent = (theatre: Theatre, { spawn, task, subject, files, summary, findings }: Work): string => {
  const act = (words: string[], says: string) => theatre.agent(spawn, words, { says })
  act(['focus', 'set', task], `${spawn} until`)
  for (const [path, text] of Object.entries(files)) write(theatre, path, text)
  const sha = commit(theatre, subject, task)
  act(['output', 'new', task], `${task}-`)
  writeUp(theatre, task, summary)
  const said = findings.flatMap((finding) => ['--finding', finding])
  act(['manifest', 'append', '--status', 'complete', ...said], task)
  const proofs = {
    implemented: `commit:${sha};files:${Object.keys(files).join(',')}`,
    testsPassed: 'tool:test',
    qaPassed: 'tool:lint',
  }
  for (const [gate, evidence] of Object.entries(proofs))
    act(['verify', task, '--gate', gate, '--evidence', evidence], gate)
  act(['verify', task, '--criterion', '1', '--evidence', `files:${Object.keys(files)[1]}`], 'criterion 1')
  act(['complete', task], `${task} done`)
  return complete
}

/** Fills in the file that `output new` has made. */
const writeUp = ({ folder }: Theatre, task: string, summary: string): void => {
  const outputs = join(folder, 'claudedocs', 'agent-outputs')
  const name = readdirSync(outputs).find((file) => file.startsWith(`${task}-`))!
  const text = readFileSync(join(outputs, name), 'utf8')
  writeFileSync(join(outputs, name), text.replace(/(## Summary\n)[^#]*/, `$1\n${summary}\n\n`))
}

export const builder = (theatre: Theatre): string =>
  diligent(theatre, {
    spawn: 'T002.2',
    task: 'T002',
    subject: 'Show prices in euros',
    files: {
      'src/price.js': `export const price = (cents) => {
  if (!Number.isInteger(cents)) throw new RangeError(\`\${cents} is no whole number of cents\`)
  return \`\${(cents / 100).toFixed(2)} €\`
}
`,
      'test/price.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { price } from '../src/price.js'

test('cents are shown as euros', () => assert.equal(price(1250), '12.50 €'))
test('what is no whole number of cents is refused', () => assert.throws(() => price(0.5)))
test('nothing costs 0.00 €', () => assert.equal(price(0), '0.00 €'))
`,
    },
    summary: 'src/price.js turns whole cents into euros and refuses anything else.',
    findings: ['price(cents) takes whole cents and throws a RangeError for anything else.'],
  })

export const adder = (theatre: Theatre): string =>
  diligent(theatre, {
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
