import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientName, Fetched } from './fetched.ts'
import type { Allowed } from './programs.ts'
import type { Stage } from './stage.ts'

/**
 * Adds an epic with one task, and sets up the client for the project. Returns what the person allows in addition to the
 * set-up.
 */
export const prepare = async (stage: Stage, client: Fetched): Promise<Allowed> => {
  const { person } = stage
  await person('cleo init')
  await person('cleo add Sums --type epic --description "Sums are right."')
  await person(
    'cleo add "Fix sum" --parent T001 --description "sum subtracts." --acceptance "1 + 2 is 3" --files sum.js,sum.test.js',
  )
  return setUp(stage, client)
}

/**
 * Returns what a person allows if agents commit in the project's own folder. In Codex, a person must allow writing
 * to `.git`.
 */
export const inPlace = (stage: Stage, client: Fetched, allowed: Allowed): Allowed =>
  client.name === 'codex' ? { ...allowed, writable: [join(stage.project, '.git')] } : allowed

/** Does what a person does once: runs `cleo setup`, and accepts what the client asks for at its first start. */
export const setUp = async (stage: Stage, client: Fetched): Promise<Allowed> => {
  await stage.person(`cleo setup ${client.name} --yes`)
  firstStart[client.name]?.(stage, client)
  return allowed[client.name](stage)
}

/**
 * What the person allows in addition. In clients that have a setting for it, `cleo setup` has already allowed
 * `cleo`.
 */
const allowed: Record<ClientName, (stage: Stage) => Allowed> = {
  claude: () => ({ commands: ['git'] }),
  codex: () => ({}),
  gemini: () => ({ commands: ['git'] }),
  opencode: () => ({ commands: ['cleo', 'git'] }),
  copilot: ({ home }) => ({ commands: ['cleo', 'git'], writable: [join(home, '.local', 'state', 'cleo')] }),
  qwen: () => ({ commands: ['git'] }),
}

const write = (file: string, content: unknown): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(content))
}

const firstStart: Partial<Record<ClientName, (stage: Stage, client: Fetched) => void>> = {
  // Gemini asks a person whether it may use an agent file of the project.
  gemini: ({ project, home }) => {
    const agent = readFileSync(join(project, '.gemini', 'agents', 'cleo-subagent.md'))
    const hash = createHash('sha256').update(agent).digest('hex')
    write(join(home, '.gemini', 'acknowledgments', 'agents.json'), { [project]: { 'cleo-subagent': hash } })
  },
  opencode: ({ project, home }, { version }) => {
    havePluginTypes(join(project, '.opencode'), version)
    havePluginTypes(join(home, '.config', 'opencode'), version)
  },
  // Qwen starts an MCP server of the project only after a person approved it.
  qwen: ({ project, env }, { command: [program, ...args] }) => {
    const { status, stdout, stderr } = spawnSync(program!, [...args, 'mcp', 'approve', 'cleo'], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    if (status !== 0 || !stdout.includes('Approved')) throw new Error(`qwen mcp approve: ${stdout}${stderr}`)
  },
}

/**
 * Creates the types of OpenCode's plugins. Without them, OpenCode tries to install them, and without a network retries
 * for a minute and a half.
 */
export const havePluginTypes = (folder: string, version: string): void => {
  const name = '@opencode-ai/plugin'
  const dependencies = { [name]: version }
  write(join(folder, 'package.json'), { dependencies })
  write(join(folder, 'node_modules', name, 'package.json'), { name, version })
  write(join(folder, 'package-lock.json'), {
    lockfileVersion: 3,
    packages: { '': { dependencies }, [`node_modules/${name}`]: { version } },
  })
}
