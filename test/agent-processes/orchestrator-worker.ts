import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentFiles, agentProcesses } from '../../src/agent-processes/processes.ts'
import { hostFor, testLimits } from '../support/agents.ts'

/**
 * Starts and records agents as a run does, then waits to be killed. Its arguments are a folder, what the agents do
 * once this process is killed, and a script for each agent.
 */
const [folder, onLoss, ...scripts] = process.argv.slice(2) as [string, 'end' | 'finish', ...string[]]
const agents = agentProcesses(hostFor(folder))
const records = []
for (const [i, script] of scripts.entries()) {
  const agent = await agents.start({
    kind: 'command',
    launch: {
      program: '/bin/bash',
      args: ['-c', script],
      env: { PATH: process.env['PATH']! },
      cwd: folder,
      input: 'Do it.',
    },
    files: agentFiles(folder, 'R001', `T00${i + 2}.1`),
    limits: testLimits,
    onLoss,
    onNote: () => undefined,
  })
  if ('problem' in agent) throw new Error(agent.problem)
  const { watcher, marker, files } = agent
  records.push({ watcher, marker, files })
  agent.go()
}
writeFileSync(join(folder, 'records.tmp'), JSON.stringify(records))
const { renameSync } = await import('node:fs')
renameSync(join(folder, 'records.tmp'), join(folder, 'records.json'))
setInterval(() => undefined, 1000)
