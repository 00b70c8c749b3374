import type { Answer, Call, Conversation, Tool, Turn } from './conversation.ts'
import type { Agent, Scenario, Step } from './scenario.ts'

/** How the scripted model reacts to a request. */
export interface Decision {
  /**
   * Missing if no agent of the scenario sent the request: clients also ask for a title, probe the model or warm it
   * up.
   */
  agent?: string
  /** The number of the step, from 0. */
  step?: number
  fault?: Step['fault']
  answer: Answer
  /** Why the scenario cannot go on. */
  broken?: string
}

/**
 * Decides how to answer a request. The result depends only on scenario and conversation, apart from the ids, which
 * `nextId` gives.
 */
export const decide = (scenario: Scenario, conversation: Conversation, nextId: () => string): Decision => {
  if (conversation.tools.length === 0) return { answer: { id: nextId(), text: 'ok', calls: [] } }
  const found = findAgent(scenario, conversation)
  if (!found) return { answer: { id: nextId(), text: 'ok', calls: [] } }
  const { name, agent, start } = found
  const turns = conversation.turns.slice(start)
  const steps = agent.steps.filter((each) => isPossible(each, conversation))
  const at = stepAt(steps, turns)
  const step = steps[at]!
  const heard = turns.map(({ from, text, results }) => (from === 'user' ? text + results : '')).join('\n')
  try {
    const missing = step.needs?.find((pattern) => !new RegExp(pattern).test(conversation.system + heard))
    if (missing !== undefined) throw new Error(`${missing} has not reached the model`)
    const fill = fillFrom(heard, { ...agent.hears }, turns.at(-1)?.results.trimEnd() ?? '')
    const calls = (step.together ?? [step]).flatMap((each) => callsOf(each, conversation, fill, nextId))
    const said = step.say === undefined ? undefined : fill(step.say)
    const answer =
      calls.length === 0 ? lastWord(said, conversation, nextId) : { id: nextId(), text: said, calls }
    return { agent: name, step: at, fault: step.fault, answer }
  } catch (error) {
    const broken = `${name}, step ${at}: ${(error as Error).message}`
    return {
      agent: name,
      step: at,
      answer: { id: nextId(), text: `SCRIPT BROKEN: ${broken}`, calls: [] },
      broken,
    }
  }
}

const findAgent = ({ agents }: Scenario, { turns }: Conversation) => {
  for (const [start, turn] of turns.entries()) {
    if (turn.from !== 'user') continue
    for (const [name, agent] of Object.entries(agents))
      if (turn.text.includes(agent.when))
        return { name, agent, start: agent.again ? lastTurn(turns, agent) : start }
  }
  return undefined
}

const lastTurn = (turns: readonly Turn[], { when }: Agent): number =>
  turns.findLastIndex(({ from, text }) => from === 'user' && text.includes(when))

/** Returns the number of the next step, from what the model said and heard so far. */
const stepAt = (steps: readonly Step[], turns: readonly Turn[]): number => {
  let at = 0
  let heard = ''
  const passReached = () => {
    while (steps[at]?.until?.every((pattern) => new RegExp(pattern).test(heard))) at++
  }
  for (const { from, text, results } of turns) {
    if (from === 'user') {
      heard += text + results
      continue
    }
    passReached()
    if (!steps[at]?.until) at++
  }
  passReached()
  return Math.min(at, steps.length - 1)
}

const isPossible = (step: Step, conversation: Conversation): boolean => {
  if (step.wait) return toolOf(conversation.tools, waitTools) !== undefined
  if (!step.ifOffered) return true
  try {
    return (
      callsOf(
        step,
        conversation,
        (text) => text,
        () => '',
      ).length > 0
    )
  } catch {
    return false
  }
}

/** Subagents of Gemini end with a tool call, if they have a tool for that. */
const lastWord = (said: string | undefined, { tools }: Conversation, nextId: () => string): Answer => {
  const tool = toolOf(tools, ['complete_task'])
  if (!tool) return { id: nextId(), text: said, calls: [] }
  return {
    id: nextId(),
    calls: [{ id: nextId(), tool, input: pick(tool, { result: said, response: said }) }],
  }
}

/** Replaces `${name}` by the last match of its pattern in what the model heard. */
const fillFrom =
  (heard: string, hears: NonNullable<Agent['hears']>, last: string) =>
  (text: string): string =>
    text.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => {
      if (name === 'last') return last
      const pattern = hears[name]
      if (pattern === undefined) return whole
      const found = [...heard.matchAll(new RegExp(pattern, 'g'))].at(-1)?.[1]
      if (found === undefined) throw new Error(`the model never heard ${name}, /${pattern}/`)
      return found
    })

type Fill = (text: string) => string

const shellTools = ['Bash', 'exec_command', 'shell_command', 'run_shell_command', 'bash']
const readTools = ['Read', 'read_file', 'read', 'view']
const writeTools = ['Write', 'write_file', 'write', 'apply_patch', 'create']
const agentTools = ['Agent', 'Task', 'spawn_agent', 'task', 'invoke_agent', 'agent']
const waitTools = ['wait_agent', 'wait']

const toolOf = (tools: readonly Tool[], names: readonly string[]): Tool | undefined =>
  names.flatMap((name) => tools.filter((tool) => tool.name === name))[0]

/** Turns a step into calls of the tools that the request offers. */
const callsOf = (step: Step, { tools, turns }: Conversation, fill: Fill, nextId: () => string): Call[] => {
  const call = (tool: Tool | undefined, values: Record<string, unknown>, what: string): Call[] => {
    if (!tool) throw new Error(`no tool for ${what} among ${tools.map(({ name }) => name).join(', ')}`)
    return [{ id: nextId(), tool, input: pick(tool, values) }]
  }
  const shell = (command: string) =>
    call(toolOf(tools, shellTools), { command, cmd: command, description: 'scripted step' }, 'shell')
  if (step.shell !== undefined) return shell(fill(step.shell))
  if (step.read !== undefined) {
    const file = fill(step.read)
    const tool = toolOf(tools, readTools)
    if (!tool) return shell(`cat ${file}`)
    return call(tool, { file_path: file, filePath: file, absolute_path: file, path: file }, 'read')
  }
  if (step.write) {
    const [file, content] = [fill(step.write.file), fill(step.write.text)]
    const edited = editOf(file, content, tools, turns)
    if (edited) return call(edited.tool, edited.values, 'write')
    const tool = toolOf(tools, writeTools)
    if (!tool) return shell(`cat > ${file} <<'SCRIPTED'\n${content}SCRIPTED`)
    const values = { file_path: file, filePath: file, content, text: patchOf(file, content) }
    return call(tool, { ...values, path: file, file_text: content }, 'write')
  }
  if (step.mcp) {
    const input = JSON.parse(fill(JSON.stringify(step.mcp.input))) as Record<string, unknown>
    const tool = mcpTool(tools, step.mcp.tool)
    if (!tool) return call(undefined, {}, `cleo's ${step.mcp.tool}`)
    return [{ id: nextId(), tool, input }]
  }
  if (step.agent) {
    const { type } = step.agent
    const prompt = fill(step.agent.prompt)
    const named = { subagent_type: type, agent_type: type, agent_name: type }
    // Gemini offers each agent as a tool of its own.
    const tool = toolOf(tools, [...agentTools, type])
    const asked = { prompt, message: prompt, query: prompt, description: 'scripted', name: 'worker' }
    // Ask for the result in the same turn, because the client might start the agent in the background.
    return call(tool, { ...named, ...asked, mode: 'sync', run_in_background: false }, 'agent')
  }
  if (step.wait) {
    const results = turns.map((turn) => turn.results).join('\n')
    const started = new Set([...results.matchAll(/"agent_id":"([^"]+)"/g)].map(([, id]) => id!))
    // Wait only for agents that still run, because Codex returns at once if one of them has ended already.
    const ids = [...started].filter((id) => !results.includes(`"${id}":{"completed"`))
    return call(toolOf(tools, waitTools), { targets: ids, ids, timeout_ms: 60_000 }, 'wait')
  }
  return []
}

/** Returns the values for which the tool has an argument. */
const pick = (tool: Tool, values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) =>
      tool.freeform ? name === 'text' : tool.arguments.includes(name),
    ),
  )

/** Finds a tool of CLEO. Each client puts the server's name before the tool's name in its own way. */
const mcpTool = (tools: readonly Tool[], name: string): Tool | undefined => {
  const pattern = new RegExp(`(^|_)cleo[_-]{1,2}${name}$`)
  return tools.find((tool) =>
    pattern.test(tool.namespace ? `${tool.namespace.replace(/_+$/, '')}__${tool.name}` : tool.name),
  )
}

/** Copilot can create only new files, so a file that was just read is edited instead. */
const editOf = (file: string, content: string, tools: readonly Tool[], turns: readonly Turn[]) => {
  const tool = toolOf(tools, ['create']) && toolOf(tools, ['edit'])
  const before = turns.at(-1)?.results.trimEnd() ?? ''
  return tool && before
    ? { tool, values: { path: file, old_str: before, new_str: content.trimEnd() } }
    : undefined
}

/** Returns a patch, because Codex writes files with patches. The patch replaces an existing file of this name. */
const patchOf = (file: string, content: string): string => {
  const lines = content.replace(/\n$/, '').split('\n')
  return `*** Begin Patch\n*** Add File: ${file}\n${lines.map((line) => `+${line}`).join('\n')}\n*** End Patch\n`
}
