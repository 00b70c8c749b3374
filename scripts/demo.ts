import { type Demo, runDemo } from './demo/demo.ts'
import { createShop } from './demo/shop.ts'
import { buildCart, buildPrices, lazy } from './demo/subagents.ts'

/** The lines of a test runner's output that are printed. */
const tally = /^# (tests|pass|fail) /

const plan = async ({ explain, cleo, run, useSession }: Demo): Promise<void> => {
  explain('A small shop in git. It has one test, which passes.')
  await run(['npm', 'test', '--silent'], { says: 'fail 0', only: tally })

  explain('You plan an epic of two tasks. Neither needs the other.')
  await cleo(['init'], { says: 'Made .cleo/ in shop' })
  await cleo(['add', 'Prices and carts', '--type', 'epic', '--description', 'Customers see what they pay.'], {
    says: 'T001',
  })
  await cleo(
    [
      ...['add', 'Write the price format', '--parent', 'T001', '--files', 'src/price.js,test/price.test.js'],
      ...['--description', 'price(cents) gives the text customers see; src/shop.js exports it.'],
      ...['--acceptance', 'cents are shown as euros'],
    ],
    { says: 'T002' },
  )
  await cleo(
    [
      ...['add', 'Add up a cart', '--parent', 'T001', '--files', 'src/cart.js,test/cart.test.js'],
      ...['--description', 'total(items) adds up {cents, count}; src/shop.js exports it.'],
      ...['--acceptance', 'the sum is right'],
    ],
    { says: 'T003' },
  )
  const started = await cleo(['start', 'T001'], { says: 'T002' })
  useSession(/ses_\w+/.exec(started)![0])
}

const spawnBoth = async ({ explain, cleo, run }: Demo): Promise<void> => {
  explain('The orchestrator asks what can run side by side, and spawns both.')
  await cleo(['ready', 'T001'], { says: 'T003' })
  await cleo(['spawn', 'T002', '--explain'], { says: 'left for the work' })
  await cleo(['spawn', 'T003', '--ref'], { says: 'T003.1' })

  explain('Each agent has a worktree and a branch of its own. Your checkout stays as it is.')
  await cleo(['worktree', 'list'], { says: 'cleo/T001 → main' })

  explain('What a subagent reads: task, rules, skill, and the exact commands to run. The first lines:')
  await run(['head', '-n', '17', '.cleo/spawns/T002.1.md'], { says: '## Task Context' })
}

const refuseTheLazy = async (demo: Demo): Promise<void> => {
  const { explain, cleo } = demo
  explain('One subagent is lazy: it writes a test, sees it fail, and returns "complete" anyway.')
  const claim = await lazy(demo)

  explain('CLEO checks. There is no manifest entry and no green test, so the task is not complete.')
  await cleo(['receive', 'T002', '--message', claim], { exit: 62, says: 'T002.1' })
  await cleo(['respawn', 'T002', '--ref'], { says: 'T002.2' })
}

const workSideBySide = async (demo: Demo): Promise<void> => {
  const { explain, cleo } = demo
  explain(
    'Now two honest subagents work at the same time: code, commit, output file. `cleo finish` submits and proves it.',
  )
  const [prices, cart] = await Promise.all([buildPrices(demo, 'T002.2'), buildCart(demo, 'T003.1')])

  explain('The first one comes home: CLEO merges it into the branch of the epic, and its worktree goes.')
  await cleo(['receive', 'T002', '--message', prices], { says: 'merged into cleo/T001' })

  explain('The second one added a line to the same place of src/shop.js. Its tests were green, alone.')
  await cleo(['receive', 'T003', '--message', cart], { exit: 23, says: 'src/shop.js' })
}

const solveTheConflict = async (demo: Demo): Promise<void> => {
  const { explain, cleo, run } = demo
  explain('The next attempt starts from the merged work, and its prompt says what happened.')
  await cleo(['respawn', 'T003', '--ref'], { says: 'T003.2' })
  await run(['grep', '-A', '2', '### Last Attempt', '.cleo/spawns/T003.2.md'], { says: 'src/shop.js' })
  const cart = await buildCart(demo, 'T003.2')
  await cleo(['receive', 'T003', '--message', cart], { says: 'merged into cleo/T001' })
}

const land = async ({ explain, cleo, run }: Demo): Promise<void> => {
  explain('Everything is merged. Your branch has none of it until you say so.')
  await cleo(['tree', 'T001', '--all'], { says: '✓ T001 Prices and carts' })
  await cleo(['land', 'T001'], { says: 'cleo/T001 → main' })

  explain('The work is on main, and its tests pass together.')
  await run(['git', 'log', '--graph', '--format=%s'], { says: 'Add up a cart' })
  await run(['npm', 'test', '--silent'], { says: 'fail 0', only: tally })

  explain('Whether each subagent followed the rules: checked in files, git and the audit log.')
  await cleo(['validate', 'T001'], { says: '2 of 2 tasks' })

  explain('How many tokens the orchestrator has read.')
  await cleo(['context'], { says: '10' })
}

const summary = `What you saw
  1 epic, 2 tasks side by side, 4 subagents, each in a worktree of its own.
  One returned "complete" with failing tests and no entry: refused (exit 41, 62).
  One conflicted with the other's work: sent back with the conflict named (exit 23), solved by the next attempt.
  Tasks became done when commit, tests, output file and entry were there. CLEO ran the tests itself.
  The orchestrator read no prompt and no report. Your branch changed once, by "cleo land".
Next
  npm run build puts the program into dist/cleo; "cleo help" lists the commands.`

try {
  await runDemo(async (demo) => {
    await createShop(demo)
    await plan(demo)
    await spawnBoth(demo)
    await refuseTheLazy(demo)
    await workSideBySide(demo)
    await solveTheConflict(demo)
    await land(demo)
    console.log(summary)
  })
} catch (error) {
  console.error(`The demo stopped: ${(error as Error).message}`)
  process.exitCode = 1
}
