/**
 * The plugin that passes OpenCode's events to `cleo hook opencode`. A plugin can refuse or change a tool call and add
 * text to a compacted session. A plugin cannot keep a subagent from stopping. But it can send the subagent another
 * message before the parent session gets the subagent's result.
 */
export const openCodePlugin = `// Written by \`cleo setup opencode\`; \`cleo setup opencode --undo\` removes it.
import { spawnSync } from 'node:child_process'

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

const textOf = (message) =>
  (message?.parts ?? []).flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join('\\n')

export const CleoPlugin = async ({ client, directory }) => {
  // A newer OpenCode may lack a function of client.session. Tool calls must still work then.
  const session = async (call, input) => {
    try {
      return (await client.session[call](input)).data
    } catch {
      return undefined
    }
  }
  const messagesOf = async (id) => (await session('messages', { path: { id } })) ?? []
  // A session with a parent belongs to a subagent, and its first message is the prompt.
  const lookUp = async (id) => {
    const found = await session('get', { path: { id } })
    if (found?.parentID === undefined) return {}
    const first = (await messagesOf(id)).find(({ info }) => info.role === 'user')
    return { agent_id: id, prompt: textOf(first), by: { agent: first?.info.agent, model: first?.info.model } }
  }
  const agents = new Map()
  const agentOf = async (id) => {
    if (!agents.has(id)) agents.set(id, await lookUp(id))
    return agents.get(id)
  }
  return {
    'tool.execute.before': async ({ tool, sessionID, callID }, output) => {
      const { by, ...agent } = await agentOf(sessionID)
      const answer = ask('tool.execute.before', { tool, sessionID, callID, args: output.args, ...agent }, directory)
      if (answer.deny) throw new Error(answer.deny)
      if (answer.args) Object.assign(output.args, answer.args)
    },
    // If a subagent returns before its work is finished, it gets cleo's reason as its next message, until cleo lets it
    // stop.
    'tool.execute.after': async ({ tool, sessionID }, output) => {
      const id = tool === 'task' ? output?.metadata?.sessionId : undefined
      if (id === undefined) return
      const { by, ...agent } = await agentOf(id)
      let last = textOf((await messagesOf(id)).at(-1))
      for (;;) {
        const { block } = ask('SubagentStop', { sessionID, last_assistant_message: last, ...agent }, directory)
        if (!block) return
        const body = { ...by, parts: [{ type: 'text', text: block }] }
        const reply = await session('prompt', { path: { id }, body })
        if (!reply) return
        const said = textOf(reply)
        output.output = last ? output.output.replace(last, () => said) : output.output + said
        last = said
      }
    },
    'experimental.session.compacting': async ({ sessionID }, output) => {
      const { context } = ask('session.compacted', { sessionID }, directory)
      if (context) output.context.push(context)
    },
  }
}
`
