import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Fetched } from './fetched.ts'
import type { Allowed } from './programs.ts'
import type { Stage } from './stage.ts'

/** An epic with one task, and the client set up for the project. Returns what else the person allows. */
export const prepare = async ({ project, home, person }: Stage, { name }: Fetched): Promise<Allowed> => {
  await person('cleo init')
  await person('cleo add Sums --type epic --description "Sums are right."')
  await person(
    'cleo add "Fix sum" --parent T001 --description "sum subtracts." --acceptance "1 + 2 is 3" --files sum.js,sum.test.js',
  )
  const state = join(home, '.local', 'state', 'cleo')
  mkdirSync(state, { recursive: true })
  if (name === 'claude') {
    await person('cleo agent show cleo-subagent | tail -n +3 > ../agent.md')
    await person('mkdir -p .claude/agents && cp ../agent.md .claude/agents/cleo-subagent.md')
    return { commands: ['cleo', 'git'], writable: [state] }
  }
  const roots = ['.git/objects', '.git/refs/heads', '.git/logs', '.git/worktrees', '.git', '.cleo']
  await person(`mkdir -p ${roots.join(' ')}`)
  return { commands: ['cleo', 'git'], writable: [state, ...roots.map((root) => join(project, root))] }
}
