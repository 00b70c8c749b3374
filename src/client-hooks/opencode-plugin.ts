/**
 * The plugin that passes OpenCode's events to `cleo hook opencode`. OpenCode can refuse or change a tool call and take
 * text into a compacted session; it cannot keep an agent from stopping.
 */
export const openCodePlugin = `import { spawnSync } from 'node:child_process'

const ask = (event, input, directory) => {
  const { status, stdout } = spawnSync('cleo', ['hook', 'opencode', event], {
    cwd: directory,
    input: JSON.stringify({ ...input, cwd: directory }),
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (status !== 0 || !stdout) return {}
  try {
    return JSON.parse(stdout)
  } catch {
    return {}
  }
}

export const CleoPlugin = async ({ client, directory }) => {
  // A session with a parent belongs to a subagent.
  const parents = new Map()
  const isSubagent = async (id) => {
    if (!parents.has(id)) {
      const found = await client.session.get({ path: { id } }).catch(() => undefined)
      parents.set(id, found?.data?.parentID !== undefined)
    }
    return parents.get(id)
  }
  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const agent = (await isSubagent(sessionID)) ? { agent_id: sessionID } : {}
      const answer = ask('tool.execute.before', { tool, sessionID, callID, args: output.args, ...agent }, directory)
      if (answer.deny) throw new Error(answer.deny)
      if (answer.args) Object.assign(output.args, answer.args)
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const { context } = ask('session.compacted', { sessionID }, directory)
      if (context) output.context.push(context)
    },
  }
}
`
