import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from '../support/cleo.ts'
import { fixOf, type Hand, openHand, shell } from './hand.ts'
import { type Desk, oldAgent, playAgent, type Role, tasks } from './play-agents.ts'

export interface Play {
  ids: Record<Role, string>
  /** Everything the lead has read, from the first command to the last. */
  lead: string
  /** Everything each agent has read, by spawn. */
  agents: Record<string, string>
  /** Runs a command after the play and returns its data. */
  ask<T = unknown>(command: string): Promise<T>
}

const roles = Object.keys(tasks) as Role[]

/**
 * Plays an epic of fourteen tasks. The lead, who orchestrates, and every agent run only commands that were printed
 * for them.
 */
export const play = async (folder: string): Promise<Play> => {
  const main = join(folder, 'shop')
  const env = { HOME: join(folder, 'home'), USER: 'ada', NO_COLOR: '1' }
  const type = async (line: string, input?: string): Promise<Ran> => {
    const ran = await shell(line, main, env, input)
    if (ran.exit !== 0) throw new Error(`${line}: ${ran.stderr}`)
    return ran
  }
  found(main)
  await type('git init -q -b main && git config user.name ada && git config user.email ada@example.invalid')
  await type('git add . && git commit -qm "Found the shop"')
  await type('cleo init && cleo config set claims.quiet 0.017 && cleo trust --yes')
  await type('cleo add --batch', JSON.stringify(plan()))
  const ids = Object.fromEntries(
    roles.map((role, i) => [role, `T${String(i + 2).padStart(3, '0')}`]),
  ) as Play['ids']
  await type(
    `cleo consensus open ${ids.voters} --question "Which cache?" --option memory --option redis --voters 3`,
  )

  const desk: Desk = { main, env, type }
  const read: Play['agents'] = { old: await oldAgent(desk, ids.old) }
  const lead = openHand(main, env)
  lead.tell((await type('cleo orchestrate start --epic T001')).stdout)
  await conduct(lead, async (prompt) => {
    const spawn = /([^/]+)\.md$/.exec(prompt)![1]!
    const [task, attempt] = spawn.split('.') as [string, string]
    const hand = openHand(main, env, spawn)
    hand.tell(readFileSync(prompt, 'utf8'))
    const role = roles.find((each) => ids[each] === task)
    const line = await playAgent(role, { ...desk, hand, task, spawn, attempt: Number(attempt) })
    read[spawn] = hand.read()
    return line
  })
  return {
    ids,
    lead: lead.read(),
    agents: read,
    ask: async (command) => JSON.parse((await type(`${command} --json`)).stdout).data,
  }
}

const found = (main: string): void => {
  mkdirSync(join(main, '.cleo'), { recursive: true })
  mkdirSync(join(main, 'test'))
  const commands = { test: ['sh', './run-tests.sh'], lint: ['sh', './lint.sh'] }
  writeFileSync(join(main, '.cleo', 'config.json'), JSON.stringify({ commands, worktrees: { by: 'none' } }))
  writeFileSync(join(main, 'run-tests.sh'), 'for t in test/*.sh; do sh "$t" || exit 1; done\n')
  writeFileSync(join(main, 'lint.sh'), 'test -d test\n')
  writeFileSync(join(main, 'test', 'always.sh'), 'true\n')
}

const plan = () => [
  { key: 'epic', title: 'Customer accounts', type: 'epic', description: 'People can sign up.' },
  ...roles.map((role) => {
    const { title, label } = tasks[role]
    const more = label && { labels: [label] }
    return {
      key: role,
      parent: 'epic',
      title,
      description: `Needed: ${title}.`,
      acceptance: ['it works'],
      ...more,
    }
  }),
]

/** The criteria of a split task are proved by files that its subtasks made. */
const proof = (command: string) => command.replace('<paths>', 'test/always.sh')

/** Leads the epic. Each printed step leads to the next, until `cleo next` prints no step and no task is out. */
const conduct = async (lead: Hand, start: (prompt: string) => Promise<string | undefined>): Promise<void> => {
  const fill = (reply: string) => (command: string) => command.replace(/"(<.*?>|…)"/, quoted(reply))
  const startAgent = async ({ stdout }: Ran): Promise<string | undefined> => {
    const reply = await start(/^ {2}tell an agent: Read (.*) and follow it exactly\.$/m.exec(stdout)![1]!)
    if (reply === undefined) return undefined
    const received = await lead.follow('cleo receive', fill(reply))
    return received.exit === 0 ? thenOf(received) : fixOf(received)
  }
  let step: string | undefined
  for (;;) {
    const asked = step ?? 'cleo next --session'
    const ran = asked.startsWith('cleo complete ')
      ? await lead.insist(asked, { fill: proof })
      : await lead.follow(asked)
    if (/^cleo (re)?spawn T\d+ --ref$/.test(asked)) step = await startAgent(ran)
    else if (asked === 'cleo inbox')
      step = thenOf(await lead.follow('cleo inbox answer', fill('The login is in the vault now.')))
    else step = thenOf(ran) ?? (await ofQuiet(lead, ran))
    if (step || asked !== 'cleo next --session') continue
    if (!ran.stdout.includes('; not received yet: ')) return
    // Wait until CLEO says that the agent is quiet.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Returns the command that replaces a quiet spawn. `cleo show` of the spawn's task prints this command. */
const ofQuiet = async (lead: Hand, { stdout }: Ran): Promise<string | undefined> => {
  const show = /has been quiet for .*: (cleo show T\d+)$/m.exec(stdout)?.[1]
  const shown = show && (await lead.follow(show))
  return shown ? /to replace it: (cleo respawn .*)$/m.exec(shown.stdout)?.[1] : undefined
}

const thenOf = ({ stdout }: Ran): string | undefined => /^ *then: (cleo .*)$/m.exec(stdout)?.[1]

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
