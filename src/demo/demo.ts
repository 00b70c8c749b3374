import type { Host } from '../host/host.ts'
import { scenario, shopFiles } from './shop.ts'

interface DemoOptions {
  host: Host
  /** A new folder. The demo keeps it, so that you can look at the result. */
  folder: string
  print(text: string): void
}

/**
 * Plays an epic in a new folder, with real git and real commands. Only the agents are not real: they follow a script.
 * Returns the exit status.
 */
export const playDemo = async ({ host, folder, print }: DemoOptions): Promise<number> => {
  const shop = `${folder}/shop`
  const { files } = host
  for (const [path, text] of Object.entries(shopFiles)) {
    files.makeFolder(`${shop}/${path}`.slice(0, `${shop}/${path}`.lastIndexOf('/')), 0o755)
    files.replace(`${shop}/${path}`, text, 0o644)
  }
  files.makeFolder(`${folder}/home`, 0o755)
  files.replace(`${folder}/scenario.json`, JSON.stringify(scenario(`${folder}/t003-works`), null, 2), 0o644)
  const began = host.now()
  const stage = stageOf({ host, folder, print }, shop)
  const { explain, quietly, show } = stage

  for (const args of [
    ['init', '-q', '-b', 'main', '.'],
    ['config', 'user.name', 'Demo'],
    ['config', 'user.email', 'demo@example.com'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'Open the shop'],
  ])
    await quietly('git', ...args)
  explain('A small shop in git. Its test is red.')
  await show(['sh', 'test.sh'], 1)

  explain('You plan an epic of three tasks. The second and the third can be built side by side.')
  await quietly('cleo', 'init')
  await quietly('cleo', 'config', 'set', 'commands.test', 'sh test.sh')
  await quietly('cleo', 'config', 'set', 'commands.lint', 'sh lint.sh')
  await show([
    'cleo',
    'add',
    'Prices and carts',
    '--type',
    'epic',
    '--description',
    'Customers see what they pay.',
  ])
  await show([...add('Show prices in euros'), '--description', 'price 1250 prints 12.50 EUR.'])
  await show([...add('Add up a cart'), '--description', 'total adds up cents.', '--depends', 'T002'])
  await show([...add('Print a receipt'), '--description', 'receipt prints the total.', '--depends', 'T002'])

  explain(
    'CLEO drives it. Each agent gets a worktree and a prompt; CLEO runs the tests itself, merges, and lands the result.',
  )
  await show([
    'cleo',
    'run',
    'T001',
    '--agent',
    'scripted',
    '--scenario',
    '../scenario.json',
    '--parallel',
    '2',
    '--land',
  ])

  explain('The work is on main, and its tests are green together.')
  await show(['sh', 'test.sh'])
  await show(['git', 'log', '--oneline', '--no-merges'])
  explain(
    `That took ${Math.round((host.now() - began) / 1000)} s. One agent claimed success with nothing and was sent back; two changed the same line, and the second was given the conflict to solve.`,
  )
  print(
    `\nLook around in ${shop}:\n  .cleo/runs/R001/report.md    what was built, by whom, with which evidence\n  .cleo/runs/R001/T003.1.log   what the lazy agent printed\n  cleo log, cleo tree T001 --all, cleo run show R001\nYour own project:\n  cleo init, cleo add …, then cleo run T001 --agent claude\n`,
  )
  return stage.failed() ? 1 : 0
}

const add = (title: string): string[] => ['cleo', 'add', title, '--parent', 'T001']

const stageOf = ({ host, folder, print }: DemoOptions, shop: string) => {
  let hasFailed = false
  const run = async (words: readonly string[], heard?: (text: string) => void): Promise<number> => {
    const [program = '', ...args] =
      words[0] === 'cleo' ? [...(host.program ?? ['cleo']), ...words.slice(1)] : words
    const ran = await host.processes.run(program, args, {
      // Keeps the demo from reading or changing the person's own settings.
      ...{
        cwd: shop,
        env: { PATH: host.env['PATH'] ?? '', HOME: `${folder}/home`, USER: 'you', LANG: 'C.UTF-8' },
        input: '',
      },
      ...{ timeoutMs: 10 * 60_000, maxBytes: 256 * 1024 },
      ...(heard && { heard }),
    })
    if (ran.end === 'exited') return ran.code
    print(ran.end === 'not started' ? `${program}: ${ran.reason}\n` : `${program} was ended\n`)
    return 1
  }
  return {
    failed: () => hasFailed,
    explain: (text: string) => print(`\n# ${text}\n`),
    quietly: async (...words: string[]): Promise<void> => {
      if ((await run(words)) !== 0) hasFailed = true
    },
    show: async (words: readonly string[], expected = 0): Promise<void> => {
      print(`\n$ ${words.map((word) => (/[^\w./,=-]/.test(word) ? `"${word}"` : word)).join(' ')}\n`)
      const exit = await run(words, print)
      if (exit !== 0) print(`[exit ${exit}]\n`)
      if (exit !== expected) hasFailed = true
    },
  }
}
