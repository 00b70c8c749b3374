import type { Checked } from '../clients/check-client.ts'
import type { Host } from '../host/host.ts'
import { removeTree } from '../host/permissions.ts'
import { findOutside } from '../host/programs.ts'
import { stateFolder, userFolder } from '../host/user-folders.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { type AgentEnd, type AgentName, agentNames } from './agent.ts'
import { agentKind } from './agent-kinds.ts'
import { agentFiles, agentProcesses } from './processes.ts'

const promptFor = (folder: string) => `Make the file ${folder}/ready.txt
with the single word ready in it. Then commit it, with exactly these two commands:
git add ready.txt
git commit -m Ready
Do nothing else.
`
const limits = { idleMs: 120_000, totalMs: 300_000 }
const what = 'turn'

/**
 * Checks that a client works in a run. Starts the client in a scratch repository with a prompt that asks for one
 * commit, and checks that the commit was made.
 */
export const realTurn = async (host: Host, client: AgentClient): Promise<Checked> => {
  const name = agentNames.find((each): each is AgentName => each === client)
  if (!name) return { what, found: 'not tried: CLEO does not start this client itself', note: true }
  const folder = `${stateFolder(host) ?? userFolder(host)}/turns/${host.randomId(12)}`
  host.files.makeFolder(folder, 0o700)
  try {
    return await turnIn(host, name, host.files.realPath(folder))
  } finally {
    removeTree(folder)
  }
}

const turnIn = async (host: Host, name: AgentName, folder: string): Promise<Checked> => {
  const git = gitIn(host, folder)
  const identity = ['-c', 'user.name=CLEO', '-c', 'user.email=cleo@localhost']
  const isMade =
    (await git(['init', '-q'])) !== undefined &&
    (await git([...identity, 'commit', '-q', '--allow-empty', '-m', 'Begin'])) !== undefined
  if (!isMade) return failed('git could not make a scratch repository')
  // Make this folder, because Gemini CLI does not start if a folder that it may read is missing.
  host.files.makeFolder(`${folder}/.cleo/spawns`, 0o700)
  const kind = agentKind(name)
  const task = {
    ...{
      spawn: 'T001.1',
      task: 'T001',
      run: 'check',
      prompt: promptFor(folder),
      promptFile: `${folder}/.cleo/spawns/T001.1.md`,
    },
    ...{ folder, projectRoot: folder, env: {} },
  }
  const launch = await kind.launch(host, task, {})
  const files = agentFiles(folder, 'check', 'T001.1')
  const agent = await agentProcesses(host).start({
    ...{ kind: name, launch, files, limits, onLoss: 'end' },
    onNote: () => undefined,
  })
  if ('problem' in agent) return failed(agent.problem)
  agent.go()
  const end = await agent.ended
  const committed = await git(['show', 'HEAD:ready.txt'])
  return committed?.trim() === 'ready'
    ? { what, found: `committed a file${end.cost === undefined ? '' : ` for $${end.cost.toFixed(3)}`}` }
    : failed(`a turn made no commit: ${whyNot(end)}`)
}

const failed = (message: string): Checked => ({ what, found: message, problem: { path: what, message } })

const whyNot = ({ ending, reason, denied, lastMessage }: AgentEnd): string => {
  if (denied.length > 0) return `not allowed: ${denied[0]}`
  if (reason !== undefined) return `${ending}, ${reason}`
  return lastMessage === undefined
    ? `${ending}, said nothing`
    : `${ending}, said "${lastMessage.slice(0, 200)}"`
}

/** The result is what git printed in the scratch repository; undefined if git failed. */
const gitIn = (host: Host, folder: string) => {
  const { program, env } = findOutside(host, 'git', folder)
  return async (args: readonly string[]): Promise<string | undefined> => {
    const ran = await host.processes.run(program, args, {
      cwd: folder,
      env: { HOME: host.home, ...env, GIT_TERMINAL_PROMPT: '0' },
      input: '',
      timeoutMs: 30_000,
      maxBytes: 4096,
      keep: 'output',
      git: true,
    })
    return ran.end === 'exited' && ran.code === 0 ? ran.tail : undefined
  }
}
