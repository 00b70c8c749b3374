import { type Demo, runDemo } from './demo/demo.ts'
import { createShop } from './demo/shop.ts'
import { adder, builder, lazy } from './demo/subagents.ts'

/** The lines of a test runner's output that are printed. */
const tally = /^# (tests|pass|fail) /

const plan = ({ explain, cleo, run, useSession }: Demo): void => {
  explain('A small shop. Its tests describe prices, and they fail: the code is not written yet.')
  run(['npm', 'test', '--silent'], { exit: 1, says: 'fail 1', only: tally })

  explain('You plan an epic of two tasks. The second needs the first.')
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
  const started = cleo(['start', 'T001'], { says: 'T002' })
  useSession(/ses_\w+/.exec(started)![0])
}

const firstWave = (demo: Demo): void => {
  const { explain, cleo } = demo
  explain(
    'Wave 1. The orchestrator asks what is next and spawns it. It gets the path of the prompt, not its text.',
  )
  cleo(['next', 'T001'], { says: 'T002 Write the price format' })
  cleo(['spawn', 'T002', '--ref'], { says: 'T002.1' })

  explain('What the subagent reads: task, rules, skill, and the exact commands to run. The first lines:')
  cleo(['spawn', 'show', 'T002.1', '--prompt'], { says: '## Task Context', lines: 24 })

  explain('The first subagent is lazy: it runs the tests, they fail, and it returns "complete" anyway.')
  const claim = lazy(demo)

  explain('CLEO checks. There is no manifest entry, so the task is not complete.')
  cleo(['receive', 'T002', '--message', claim], { exit: 62, says: 'T002.1' })

  explain(
    'The task is spawned again. The second subagent does the work: code, commit, output file. `cleo finish` submits and proves it.',
  )
  cleo(['respawn', 'T002', '--ref'], { says: 'T002.2' })
  const line = builder(demo)

  explain('It returns one line. CLEO checks entry, file and evidence, and names what is next.')
  cleo(['receive', 'T002', '--message', line], { says: 'T003' })
}

const secondWave = (demo: Demo): void => {
  const { explain, cleo, run } = demo
  explain('Wave 2. The next prompt already contains the findings of the first task.')
  cleo(['spawn', 'T003', '--ref'], { says: 'T003.1' })
  cleo(['receive', 'T003', '--message', adder(demo)], { says: 'T003' })

  explain('The tests pass, and the epic is done with its last task.')
  run(['npm', 'test', '--silent'], { says: 'fail 0', only: tally })
  cleo(['tree', 'T001', '--all'], { says: '✓ T001 Prices and carts' })

  explain(
    'The submitted entries, and whether each subagent followed the rules: checked in files, git and the audit log.',
  )
  cleo(['manifest', 'list'], { says: 'T003-' })
  cleo(['validate', 'T001'], { says: '2 of 2 tasks' })
  cleo(['validate', 'T003', '--all'], { says: 'IMPL-003' })

  explain('How many tokens the orchestrator has read.')
  cleo(['context'], { says: '10' })
}

const summary = `What you saw
  1 epic, 2 tasks, 2 waves, 3 subagents. One of them returned "complete" with failing tests and no entry: refused (exit 41, 62).
  Tasks became done when commit, tests, output file and entry were there. CLEO ran the tests itself.
  The orchestrator read one line per task and no prompt or report.
  With --json the same commands print one line of JSON, for programs.
Next
  npm run build puts the program into dist/cleo; "cleo help" lists the commands.`

try {
  runDemo((demo) => {
    createShop(demo)
    plan(demo)
    firstWave(demo)
    secondWave(demo)
    console.log(summary)
  })
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
}
