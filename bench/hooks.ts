import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Call, type Cost, ratio, type Trial } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row } from './table.ts'
import { bareRead, type Place, say } from './trials.ts'

/**
 * Measures `cleo hook` at tool calls and at other events. An agent of a spawn is measured after its first tool call.
 * `SubagentStop` is measured with an agent that has finished nothing. Each round uses a new agent, because CLEO refuses
 * the stop of the same agent only a few times.
 */
export const hookCosts = (programs: Programs, place: Place, rounds: number): Row[] => {
  const session = 'f5b7a3c0-0000-4000-8000-000000000001'
  const folder = join(place.folder, 'hooks')
  mkdirSync(folder, { recursive: true })
  const transcripts = join(folder, session, 'subagents')
  mkdirSync(transcripts, { recursive: true })
  const conversation = join(folder, `${session}.jsonl`)
  const prompted = (content: string) =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`
  writeFileSync(conversation, prompted('Lead the epic T001.'))
  const event = (name: string, fields: object): string => {
    const path = join(folder, `${name}.json`)
    const common = {
      session_id: session,
      transcript_path: conversation,
      cwd: place.folder,
    }
    writeFileSync(path, JSON.stringify({ ...common, ...fields }))
    return path
  }
  let spawn = ''
  const agent = (id: string): { agent_id: string; agent_transcript_path: string } => {
    const path = join(transcripts, `agent-${id}.jsonl`)
    const content = `Read ${place.folder}/.cleo/spawns/${spawn}.md and follow it exactly.`
    writeFileSync(path, prompted(content))
    return { agent_id: id, agent_transcript_path: path }
  }
  const env = Object.fromEntries(Object.entries(place.env).filter(([name]) => name !== 'CLEO_AGENT_ID'))
  const call = (name: string, input: string): Call => ({
    program: programs.cleo,
    args: ['hook', 'claude', name],
    cwd: place.folder,
    env,
    input,
  })
  const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'toolu_1' })
  const read = { tool_name: 'Read', tool_input: { file_path: 'src/a.ts' }, tool_use_id: 'toolu_1' }
  const trial = (name: string, hook: string, input: (round: number) => string): Trial => ({
    name,
    call: (round) => call(hook, input(round)),
  })
  const fixed = (name: string, hook: string, fields: object): Trial => {
    const path = event(name, fields)
    return trial(name, hook, () => path)
  }
  // Measure this before the spawn below. That spawn makes every ready task wait for the shared folder, and so it would
  // change the measured time.
  const begun = programs.clock.interleave(
    [bareRead(programs, place), fixed('hook at a session start', 'SessionStart', { source: 'startup' })],
    rounds,
  )
  say(programs, place, 'add', 'Hooked', '--parent', 'T001', '--description', 'For the hooks.')
  const task = say(programs, place, 'find', '--exact', 'Hooked', '--field', 'tasks.0.id')
  say(programs, place, 'spawn', task, '--ref', '--here', '--allow-unresolved')
  spawn = `${task}.1`
  const known = agent('known')
  const trials = [
    bareRead(programs, place),
    fixed('hook before a tool, of a session', 'PreToolUse', read),
    fixed('hook before a tool, of a spawn', 'PreToolUse', { ...known, ...read }),
    fixed('hook before a cleo command', 'PreToolUse', { ...known, ...bash(`cleo show ${task}`) }),
    fixed('hook at a subagent start', 'SubagentStart', { agent_id: 'known', agent_type: 'cleo-subagent' }),
    trial('hook at a refused stop', 'SubagentStop', (round) =>
      event('stop', { ...agent(`round-${round + 10}`), last_assistant_message: 'Done.' }),
    ),
    fixed('hook at a stop of a session', 'Stop', { last_assistant_message: 'Done.' }),
  ]
  const [floor, ...costs] = programs.clock.interleave(trials, rounds)
  const outside = join(place.folder, '..', 'outside')
  mkdirSync(outside, { recursive: true })
  const elsewhere = event('elsewhere', { ...read, cwd: outside })
  const without = programs.clock.interleave(
    [
      { name: 'bare line', call: () => ({ program: programs.line, args: [], cwd: outside, env }) },
      { name: 'elsewhere', call: () => ({ ...call('PreToolUse', elsewhere), cwd: outside }) },
    ],
    rounds,
  )
  const row = (name: string, cost: Cost | undefined, beside: Cost | undefined): Row => {
    const { wall, cpu } = ratio(cost, beside)
    return { name, values: [wall], cpu: [cpu] }
  }
  return [
    ...trials.slice(1).map(({ name }, i) => row(name, costs[i], floor)),
    row('hook at a session start', begun[1], begun[0]),
    row('hook before a tool, without a project / bare line', without[1], without[0]),
  ]
}
