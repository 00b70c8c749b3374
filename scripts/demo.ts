import { openShop } from './demo/shop.ts'
import { adder, builder, lazy } from './demo/subagents.ts'
import { inTheatre, type Theatre } from './demo/theatre.ts'

/** Of all that a test runner prints. */
const tally = /^# (tests|pass|fail) /

const plan = ({ say, cleo, run, lead }: Theatre): void => {
  say('A small shop. Its tests say what prices look like, and they are red: nobody has built it yet.')
  run(['npm', 'test', '--silent'], { exit: 1, says: 'fail 1', only: tally })

  say('You plan an epic of two tasks. The second needs the first.')
  cleo(['init'], { says: 'Made .cleo/ in shop' })
  cleo(['add', 'Prices and carts', '--type', 'epic', '--description', 'Customers see what they pay.'], {
    says: 'T001',
  })
  cleo(
    [
      ...['add', 'Write the price format', '--parent', 'T001', '--files', 'src/price.js,test/price.test.js'],
      ...[
        '--description',
        'price(cents) gives the text customers see. test/price.test.js says what it looks like.',
      ],
      ...['--acceptance', 'cents are shown as euros'],
    ],
    { says: 'T002' },
  )
  cleo(
    [
      ...[
        'add',
        'Add up a cart',
        '--parent',
        'T001',
        '--depends',
        'T002',
        '--files',
        'src/cart.js,test/cart.test.js',
      ],
      ...['--description', 'total(items) adds up {cents, count} and shows the sum as a price.'],
      ...['--acceptance', 'the sum is shown as a price'],
    ],
    { says: 'waits on T002' },
  )
  const started = cleo(['orchestrate', 'start', '--epic', 'T001'], { says: 'T002' })
  lead(/ses_\w+/.exec(started)![0])
}

const firstWave = (theatre: Theatre): void => {
  const { say, cleo } = theatre
  say(
    'Wave 1. The orchestrator asks what is next and hands it out. The prompt stays out of its sight: it gets a path.',
  )
  cleo(['orchestrate', 'next', '--epic', 'T001'], { says: 'T002 Write the price format' })
  cleo(['orchestrate', 'spawn', 'T002', '--ref'], { says: 'T002.1' })

  say(
    'What the subagent reads: task, rules, skill, and the exact commands that will be checked. Its beginning:',
  )
  cleo(['orchestrate', 'spawn', 'show', 'T002.1', '--prompt'], { says: '## Task Context', lines: 24 })

  say('The first subagent is lazy: it runs the tests, sees red, and says "complete" all the same.')
  const claim = lazy(theatre)

  say('CLEO does not take its word for it. There is no entry, so nothing is complete.')
  cleo(['orchestrate', 'receive', 'T002', '--message', claim], { exit: 62, says: 'T002.1' })

  say('The task is handed out again. The second subagent works: code, commit, file, entry, evidence.')
  cleo(['orchestrate', 'respawn', 'T002', '--ref'], { says: 'T002.2' })
  const line = builder(theatre)

  say('One line comes back. CLEO checks entry, file and evidence, and names what is next.')
  cleo(['orchestrate', 'receive', 'T002', '--message', line], { says: 'T003' })
}

const secondWave = (theatre: Theatre): void => {
  const { say, cleo, run } = theatre
  say('Wave 2. The next prompt already holds what the first task found.')
  cleo(['orchestrate', 'spawn', 'T003', '--ref'], { says: 'T003.1' })
  cleo(['orchestrate', 'receive', 'T003', '--message', adder(theatre)], { says: 'T003' })

  say('The tests are green, and the epic is done with its last task.')
  run(['npm', 'test', '--silent'], { says: 'fail 0', only: tally })
  cleo(['tree', 'T001', '--all'], { says: '✓ T001 Prices and carts' })

  say(
    'What was handed in, and whether everybody kept the rules: from files, git and the log, not from what they say.',
  )
  cleo(['manifest', 'list'], { says: 'T003-' })
  cleo(['orchestrate', 'validate', '--epic', 'T001'], { says: '2 of 2 tasks' })
  cleo(['orchestrate', 'validate', 'T003', '--all'], { says: 'IMPL-003' })

  say('What all of this has cost the orchestrator to read.')
  cleo(['orchestrate', 'context'], { says: '10' })
}

const summary = `What you saw
  1 epic, 2 tasks, 2 waves, 3 subagents. One of them claimed to be done with red tests and no entry: refused (exit 41, 62).
  Work counted when its commit, its tests, its file and its entry were really there. CLEO ran the tests itself.
  The orchestrator read one line per task and never saw a prompt or a report.
  In a pipe the same commands answer in one line of JSON, which is what agents read.
Next
  npm run build puts the program into dist/cleo; "cleo help" lists the commands.`

try {
  inTheatre((theatre) => {
    openShop(theatre)
    plan(theatre)
    firstWave(theatre)
    secondWave(theatre)
    console.log(summary)
  })
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
}
