import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const program = join(import.meta.dirname, '..', 'dist', 'cleo')
const home = mkdtempSync(join(tmpdir(), 'cleo-demo-'))
const shop = join(home, 'shop')
const isTerminal = process.stdout.isTTY === true
const dim = (text: string) => (isTerminal ? `\u001b[2m${text}\u001b[22m` : text)
const bold = (text: string) => (isTerminal ? `\u001b[1m${text}\u001b[22m` : text)

const env = {
  PATH: process.env['PATH'],
  HOME: home,
  USER: 'you',
  COLUMNS: String(process.stdout.columns ?? 100),
  ...(isTerminal && { FORCE_COLOR: '1' }),
}

interface Expected {
  /** 0 unless a refusal is what the step shows. */
  exit?: number
  /** Words the answer has to hold. */
  says: string
  /** How many lines of it to show; all when left out. */
  lines?: number
}

/** Runs one real command, prints it as a person would see it, and stops the demo when the answer is another one. */
const cleo = (args: readonly string[], { exit = 0, says, lines }: Expected): void => {
  const ran = spawnSync(program, [...args, '--human'], { cwd: shop, env, encoding: 'utf8' })
  const text = `${ran.stdout ?? ''}${ran.stderr ?? ''}`
  console.log(`${dim('$')} ${bold(`cleo ${args.map(quoted).join(' ')}`)}`)
  console.log(`${beginning(text.trimEnd(), lines)}${ran.status ? `\n${dim(`[exit ${ran.status}]`)}` : ''}\n`)
  if (ran.error) throw ran.error
  if (ran.status !== exit) throw new Error(`expected exit ${exit}, not ${ran.status}`)
  if (!stripVTControlCharacters(text).includes(says)) throw new Error(`expected the answer to say "${says}"`)
}

const beginning = (text: string, most = Number.POSITIVE_INFINITY): string => {
  const lines = text.split('\n')
  return lines.length <= most
    ? text
    : [...lines.slice(0, most), dim(`… ${lines.length - most} more lines`)].join('\n')
}

const quoted = (word: string) => (/^[\w,./-]+$/.test(word) ? word : `"${word}"`)
const say = (text: string) => console.log(`${bold('#')} ${text}`)

const plan = (): void => {
  say('A new project, and an epic of four tasks: one first, two side by side, one last.')
  cleo(['init'], { says: 'Made .cleo/ in shop' })
  cleo(['add', 'Customer accounts', '--type', 'epic'], { says: 'T001' })
  const below = (title: string, ...more: string[]) => ['add', title, '--parent', 'T001', ...more]
  const hashing = ['--description', 'Which password hash do we use? Name two candidates and choose one.']
  cleo(below('Compare password hashing', '--priority', 'high', ...hashing), { says: 'T002' })
  cleo(below('Sign-up form', '--depends', 'T002', '--files', 'src/signup.ts'), { says: 'waits on T002' })
  cleo(below('Session table', '--depends', 'T002', '--files', 'src/session.ts'), { says: 'waits on T002' })
  cleo(below('Sign-in page', '--depends', 'T003,T004', '--files', 'src/signin.ts'), {
    says: 'waits on T003, T004',
  })

  say('The first task cannot wait for the last one: cycles are refused when they would arise.')
  cleo(['update', 'T002', '--depends', 'T005'], { exit: 14, says: 'would be a cycle' })

  say('What the graph says: three waves, and the longest chain of work.')
  cleo(['orchestrate', 'analyze', 'T001'], { says: '3 waves' })
}

const firstWave = (): void => {
  say(
    'Wave 1. What comes next, and the prompt for whoever does it: what is in it, what each part costs, what was cut.',
  )
  cleo(['orchestrate', 'next', '--epic', 'T001'], { says: 'T002 Compare password hashing' })
  cleo(['orchestrate', 'spawn', 'T002', '--explain'], { says: 'left to work in' })

  say('The prompt itself: task, protocol, skill and output contract, nothing to look up. Its beginning:')
  cleo(['orchestrate', 'spawn', 'T002', '--prompt'], { says: 'RSCH-001', lines: 40 })

  say('The subagent takes the task in the name of its spawn; nobody else can have it too.')
  cleo(['focus', 'set', 'T002', '--as', 'T002.1'], { says: 'T002.1 until' })
  cleo(['focus', 'set', 'T002', '--as', 'codex-1'], { exit: 35, says: 'is claimed by T002.1' })
  cleo(['complete', 'T002', '--as', 'T002.1'], { says: 'now ready: T003, T004' })
}

const secondWave = (): void => {
  say('Wave 2. Two tasks are ready and share no files, so two agents work at once.')
  cleo(['orchestrate', 'ready', '--epic', 'T001'], { says: 'T004' })
  cleo(['focus', 'set', 'T003', '--as', 'claude-1'], { says: 'claude-1 until' })
  cleo(['focus', 'set', 'T004', '--as', 'codex-1'], { says: 'codex-1 until' })
  cleo(['complete', 'T003', '--as', 'claude-1'], { says: 'T003 done' })
  cleo(['complete', 'T005', '--as', 'claude-1'], { exit: 5, says: 'T005 waits on T004' })
  cleo(['complete', 'T004', '--as', 'codex-1'], { says: 'now ready: T005' })
}

const lastWave = (): void => {
  say('Wave 3. The last task completes the epic with it.')
  cleo(['focus', 'set', 'T005', '--as', 'codex-1'], { says: 'codex-1 until' })
  cleo(['complete', 'T005', '--as', 'codex-1'], { says: 'also done: T001' })
  cleo(['tree', 'T001', '--all'], { says: '✓ T001 Customer accounts' })
  cleo(['orchestrate', 'next'], { says: 'nothing is open' })
}

const summary = `What you saw
  1 epic, 4 tasks, 3 waves, 2 agents. Nobody worked on the same task, and nothing started before what it needs was done.
  1 prompt: task, rules, skill, commands and return lines, made to fit a budget. The agent that got it needed nothing else.
  3 refusals: a cycle (exit 14), a task of somebody else (35), a task that still waits (5). Each said what to do instead.
  In a pipe the same commands answer in one line of JSON, which is what agents read.
Next
  npm run build puts the program into dist/cleo; "cleo help" lists the commands.`

try {
  mkdirSync(shop)
  plan()
  firstWave()
  secondWave()
  lastWave()
  console.log(summary)
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
} finally {
  rmSync(home, { recursive: true, force: true })
}
