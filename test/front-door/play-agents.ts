import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from '../support/cleo.ts'
import { type Fill, type Hand, openHand } from './hand.ts'

/** The tasks of the epic, and who plays the agent of each. */
export const tasks = {
  old: { title: 'Compare mail queues', label: 'research' },
  research: { title: 'Compare password hashing', label: 'research' },
  red: { title: 'Specify the cart', label: 'specification' },
  framed: { title: 'Break down the checkout', label: 'decomposition' },
  chatter: { title: 'Hand the fixes upstream', label: 'contribution' },
  voters: { title: 'Decide on a cache', label: 'consensus' },
  good: { title: 'Write the form', label: undefined },
  quiet: { title: 'Write the import', label: undefined },
  partial: { title: 'Write the export', label: undefined },
  blocked: { title: 'Write the migration', label: undefined },
  lazy: { title: 'Write the mailer', label: undefined },
  forgetful: { title: 'Write the counter', label: undefined },
  needy: { title: 'Write the parser', label: undefined },
  release: { title: 'Release 1.0.0', label: 'release' },
} as const
export type Role = keyof typeof tasks

export interface Desk {
  main: string
  env: Record<string, string>
  /** Runs a command that is not one of CLEO's. */
  type(line: string): Promise<Ran>
}
interface Agent extends Desk {
  hand: Hand
  task: string
  spawn: string
  attempt: number
}
type Script = (agent: Agent) => Promise<string | undefined>

/**
 * Plays the agent of a role. Tasks that were added during the play have no role. They get a voter or a good agent.
 */
export const playAgent = (role: Role | undefined, agent: Agent): Promise<string | undefined> => {
  const isVoter = agent.hand.read().includes('### Vote\n')
  return ((role && scripts[role]) ?? (isVoter ? voter : good))(agent)
}

/** Follows the prompt from its first command to its last. */
const good: Script = async (agent) => {
  await agent.hand.insist('cleo focus set')
  await build(agent)
  await submit(agent)
  return returnLine(agent, 'complete')
}

const first =
  (script: Script): Script =>
  (agent) =>
    agent.attempt === 1 ? script(agent) : good(agent)

const scripts: Partial<Record<Role, Script>> = {
  framed: async (agent) => {
    await agent.hand.insist('cleo focus set')
    const parts = ['Basket', 'Payment'].map((name) => ({
      title: `Write the ${name.toLowerCase()}`,
      parent: agent.task,
      size: 'small',
      description: `${name} of the checkout.`,
      acceptance: ['it works'],
    }))
    const rows = join(agent.main, '..', 'rows.json')
    writeFileSync(rows, JSON.stringify(parts))
    await agent.hand.insist('cleo add --batch', { fill: (command) => command.replace('<rows.json>', rows) })
    await submit(agent)
    return `<result>\n\`\`\`\n${returnLine(agent, 'complete')}\n\`\`\`\n</result>`
  },
  chatter: async (agent) => {
    await agent.hand.insist('cleo focus set')
    await commit(agent)
    await submit(agent)
    return 'All done! The fixes are upstream now. Shall I go on with the next task?'
  },
  quiet: first(async (agent) => {
    await agent.hand.insist('cleo focus set')
    return undefined
  }),
  partial: async (agent) => {
    await agent.hand.insist('cleo focus set')
    await build(agent)
    writeUp(agent)
    await agent.hand.insist(`cleo finish ${agent.task} --as ${agent.spawn} --status partial`, {
      fill: (command) =>
        command.replace('<done>', 'Lists are exported.').replace('<left>', 'Export empty lists'),
    })
    return returnLine(agent, 'partial')
  },
  blocked: first(async (agent) => {
    await agent.hand.insist('cleo focus set')
    await agent.hand.insist(`cleo finish ${agent.task} --as ${agent.spawn} --status blocked`, {
      fill: (command) =>
        command
          .replace('missing context', 'permission denied')
          .replace('<why>', 'The staging database refuses the login.'),
    })
    return returnLine(agent, 'blocked')
  }),
  lazy: first(async (agent) => {
    await agent.hand.insist('cleo focus set')
    return returnLine(agent, 'complete')
  }),
  forgetful: async (agent) => {
    const forget: Fill = (command) => command.replace(` --as ${agent.spawn}`, '')
    await agent.hand.insist('cleo focus set', { fill: forget })
    await build(agent)
    await submit(agent, forget)
    return returnLine(agent, 'complete')
  },
  needy: first(async (agent) => {
    await agent.hand.insist('cleo focus set')
    return printedPart(agent.hand, 'need skill: <name>').replace('<name>', 'ct-test-runner')
  }),
  release: async (agent) => {
    await agent.hand.insist('cleo focus set')
    await agent.type(
      `printf '# Changelog\\n\\n## 1.0.0\\n\\n- People can sign up.\\n' > CHANGELOG.md && git add CHANGELOG.md`,
    )
    await build(agent)
    await agent.type('git tag v1.0.0')
    await submit(agent)
    return returnLine(agent, 'complete')
  },
}

/**
 * First votes on option 2, with a changed vote line. `submit` then runs the vote line of the prompt as it is, which
 * votes on option 1.
 */
const voter: Script = async (agent) => {
  await agent.hand.insist('cleo focus set')
  const other: Fill = (command) => command.replace('--option 1 --accept', '--option 2 --reject')
  await agent.hand.insist('cleo consensus vote', { fill: (command) => filled(agent)(other(command)) })
  await submit(agent)
  return returnLine(agent, 'complete')
}

/** Returns a part of the prompt that the agent uses. Throws if the prompt lacks it. */
const printedPart = (hand: Hand, part: string): string => {
  if (!hand.read().includes(part)) throw new Error(`The prompt does not say: ${part}`)
  return part
}

/** What the old protocol told an agent that chooses its own task. */
const oldProtocol = `
cleo show <task>
cleo focus set <task>
cleo complete <task>
cleo research link <task> <entry-id>
`

export const oldAgent = async ({ main, env }: Desk, task: string): Promise<string> => {
  const hand = openHand(main, env)
  hand.tell(oldProtocol)
  const fill: Fill = (command) => command.replace('<task>', task).replace('<entry-id>', `${task}-queues`)
  await hand.insist('cleo show', { fill })
  await hand.insist('cleo focus set', { fill })
  const folder = join(main, 'claudedocs/agent-outputs')
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, `${task}-queues.md`),
    `# Queues\n\n**Task**: ${task}\n**Date**: 2026-01-26\n**Status**: complete\n\n## Summary\n\nOne.\n\n## Content\n\nAll.\n\n## References\n\n- RFC 5321\n`,
  )
  const entry = {
    id: `${task}-queues`,
    file: `${task}-queues.md`,
    title: 'Queues',
    date: '2026-01-26',
    status: 'complete',
    agent_type: 'research',
    key_findings: ['One.', 'Two.', 'Three.'],
    linked_tasks: ['T001', task],
  }
  appendFileSync(join(folder, 'MANIFEST.jsonl'), `${JSON.stringify(entry)}\n`)
  await hand.insist('cleo complete', { fill })
  await hand.insist('cleo research link', { fill })
  return hand.read()
}

/** Returns the commands in the last part of the prompt, in order. */
const commands = ({ hand }: Agent): string[] => {
  const [, last = ''] = hand.read().split('\n## Output Requirements\n')
  const lines = last.split('\n$ ')[0]!.matchAll(/^[A-Z][a-z]+: +(cleo .*?)(?: {2}#.*)?$/gm)
  return [...lines].map(([, command]) => command!)
}

const commitLine = 'Commit everything but the report'

/** Commits code with a test, if the prompt asks for a commit. */
const build = async (agent: Agent): Promise<void> => {
  if (agent.hand.read().includes(commitLine)) await commit(agent)
}

const commit = async ({ task, spawn, type }: Agent): Promise<void> => {
  await type(
    `mkdir -p src && echo ${spawn} > src/${task}.txt && echo 'test -s src/${task}.txt' > test/${task}.sh`,
  )
  await type(`git add src test && git commit -qm 'Build ${task}' -m 'Task: ${task}'`)
}

const outputOf = ({ hand }: Agent): string => /^ *output: (.*)$/m.exec(hand.read())![1]!

const filled = (agent: Agent): Fill => {
  const { task, hand } = agent
  const code = hand.read().includes(commitLine)
  return (command) =>
    command
      .replace(
        '--finding "<what others need to know>"',
        '--finding "It works." --finding "It is small." --finding "It is tested."',
      )
      .replace('--finding "<one sentence>"', '--finding "It works."')
      .replace('<what you did>', 'As asked for.')
      .replace('v<version>', 'v1.0.0')
      .replaceAll('<paths>', code ? `test/${task}.sh` : outputOf(agent))
      .replace('<why>', 'It is fast enough.')
      .replace('<what you checked>', 'A run of both.')
}

/** Fills in the output file and runs the last commands of the prompt, each changed by `change`. */
const submit = async (agent: Agent, change: Fill = (command) => command): Promise<void> => {
  const fill = filled(agent)
  writeUp(agent)
  for (const command of commands(agent)) {
    if (/^cleo (focus set|add)/.test(command)) continue
    await agent.hand.insist(command, { fill: (each) => fill(change(each)), correct: correct(agent) })
  }
}

const writeUp = (agent: Agent): void => {
  const file = outputOf(agent)
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    text.replace(/^## (Summary|Content|References)$/gm, '## $1\n\n- As asked for (README.md:1).'),
  )
}

/** Adds to a file what the rules of a specification and of a contribution ask for. */
const correct =
  ({ main }: Agent) =>
  (file: string): void => {
    const path = join(main, file)
    const text = readFileSync(path, 'utf8')
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: main, encoding: 'utf8' })
    const sections = /^## (.*(?:Scope|Conformance|Related Specifications))$/gm
    writeFileSync(
      path,
      text
        .replace(sections, '## $1\n\n1. A cart MUST hold items.')
        .replace(/^## Content$/m, `## Content\n\nCommit ${head}`),
    )
  }

const returnLine = ({ hand }: Agent, status: string): string =>
  new RegExp(`^[A-Z][a-z]+ ${status}\\. See .*$`, 'm').exec(hand.read())![0]
