import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Protocol, protocols } from '../../src/kernel/protocol.ts'
import type { Ran } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'
import { shell } from './hand.ts'
import { followLiterally } from './literal-reader.ts'

interface Project {
  root: string
  env: Record<string, string>
  /** Runs a line as the orchestrator or as the person. */
  type(line: string, input?: string): Promise<Ran>
}

const tiers = [0, 1, 2] as const

const begin = async (folder: string): Promise<Project> => {
  const root = join(folder, 'shop')
  const env = { HOME: join(folder, 'home'), USER: 'ada', NO_COLOR: '1' }
  const type = async (line: string, input?: string): Promise<Ran> => {
    const ran = await shell(line, root, env, input)
    expect(ran.exit, `${line}\n${ran.stdout}${ran.stderr}`).toBe(0)
    return ran
  }
  mkdirSync(join(root, '.cleo'), { recursive: true })
  mkdirSync(join(root, 'test'))
  const commands = { test: ['sh', './run-tests.sh'], lint: ['sh', './lint.sh'] }
  writeFileSync(join(root, '.cleo/config.json'), JSON.stringify({ commands }))
  writeFileSync(join(root, 'run-tests.sh'), 'for t in test/*.sh; do sh "$t" || exit 1; done\n')
  writeFileSync(join(root, 'lint.sh'), 'test -d test\n')
  writeFileSync(join(root, 'README.md'), '# Shop\n')
  writeFileSync(join(root, 'test/always.sh'), 'true\n')
  await type('git init -q -b main && git config user.name ada && git config user.email ada@example.invalid')
  await type('git add . && git commit -qm Begin && cleo init && cleo trust --yes')
  await type('cleo add "Customer accounts" --type epic --description "People can sign up."')
  return { root, env, type }
}

/**
 * Adds a task for each of the three tiers. With the consensus protocol, these are the tasks of three voters.
 * Returns the ids of the tasks.
 */
const plan = async (protocol: Protocol, { type }: Project): Promise<string[]> => {
  if (protocol === 'consensus') {
    await type('cleo add "Decide on a cache" --parent T001 --description "Which one?"')
    const options = '--option memory --option redis --voters 3'
    await type(`cleo consensus open T002 --question "Which cache?" ${options}`)
    return ['T003', 'T004', 'T005']
  }
  for (const tier of tiers)
    await type(
      `cleo add "Part ${tier}" --parent T001 --description "Do part ${tier}." --acceptance "it works" --labels ${protocol}`,
    )
  return ['T002', 'T003', 'T004']
}

/** What someone who understands the task would write: the change with its test, and new tasks. */
const workOf = (task: string, version: string) => ({
  work: {
    [`${task}.txt`]: `${task}\n`,
    [`test/${task}.sh`]: `test -s ${task}.txt\n`,
    'CHANGELOG.md': `# Changelog\n\n## ${version}\n\n- People can sign up.\n`,
  },
  rows: ['Basket', 'Payment'].map((title) => ({
    ...{ title: `${title} of ${task}`, parent: task, size: 'small', description: `${title}.` },
    acceptance: ['it works'],
  })),
  version,
})

test.each(protocols)(
  '[SPAWN-3] [SPAWN-4] [GATE-1] who follows a prompt of %s literally finishes the task, at every tier',
  (protocol) =>
    withTemp(async (folder) => {
      const project = await begin(folder)
      const tasks = await plan(protocol, project)
      for (const tier of tiers) {
        const task = tasks[tier]!
        const { stdout } = await project.type(`cleo spawn ${task} --tier ${tier} --ref`)
        expect(stdout).toContain(`${task}.1  ${protocol} `)
        const prompt = readFileSync(
          /^ {2}tell an agent: Read (.*) and follow it exactly\.$/m.exec(stdout)![1]!,
          'utf8',
        )
        const reader = { env: project.env, ...workOf(task, `1.${tier}.0`) }
        const line = await followLiterally(prompt, reader)
        const received = await project.type(`cleo receive ${task} --message "${line}"`)
        expect(received.stdout).toContain(`✓ ${task} complete`)
        expect(received.stdout + received.stderr).not.toContain('warning')
      }
      if (protocol === 'consensus')
        expect((await project.type('cleo consensus tally T002')).stdout).toContain('memory')
    }),
  180_000,
)
