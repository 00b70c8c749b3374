import * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { write } from '../host/standard-streams.ts'
import { resolvePath } from '../kernel/path.ts'
import { parseSpawnId } from '../kernel/task-id.ts'
import type { AgentNote } from './agent.ts'
import { definedVariables } from './environment.ts'
import { Scenario, type Step, stepsFor } from './scenario.ts'

const mostBytes = 1024 * 1024
const programMs = 10 * 60_000

/**
 * Runs the hidden command `cleo agent-script`, which acts as an agent that follows a scenario. The demo and tests
 * use it. The scripted agent changes files, commits, and runs the real `cleo` like any agent. CLEO_AGENT_ID says
 * which task and attempt it works on.
 */
export const scriptAgent = async (host: Host, [path]: readonly string[]): Promise<number> => {
  const spawn = host.env['CLEO_AGENT_ID'] ?? ''
  const parsed = parseSpawnId(spawn)
  const scenario = path === undefined ? undefined : readScenario(host, path)
  if (!parsed || typeof scenario !== 'object') {
    await write(
      2,
      `${parsed ? (scenario ?? 'agent-script needs a scenario file') : 'CLEO_AGENT_ID names no spawn'}\n`,
    )
    return 2
  }
  const { task, attempt } = parsed
  const steps = stepsFor(scenario, task, attempt)
  if (!steps) {
    await write(2, `The scenario has no steps for ${task}.\n`)
    return 2
  }
  // Read the whole prompt, as a real agent does, although the script does not need it.
  await host.readInput(64 * 1024 * 1024)
  tell({ kind: 'session', id: `script-${spawn}` })
  const fill = (text: string) =>
    text
      .replaceAll('{{task}}', task)
      .replaceAll('{{spawn}}', spawn)
      .replaceAll('{{attempt}}', String(attempt))
  for (const step of steps) {
    const exit = await act(host, task, step, fill)
    if (exit !== undefined) return exit
  }
  tell({ kind: 'turn over' })
  return 0
}

const tell = (note: AgentNote): void => void write(1, `${JSON.stringify({ note })}\n`)

const readScenario = ({ files }: Host, path: string): Scenario | string => {
  try {
    const read = v.safeParse(Scenario, JSON.parse(files.read(path) ?? 'null'))
    return read.success ? read.output : `${path}: ${v.summarize(read.issues)}`
  } catch (error) {
    return `${path}: ${(error as Error).message}`
  }
}

/** If the agent must end after this step, returns its exit status. */
const act = async (
  host: Host,
  task: string,
  step: Step,
  fill: (text: string) => string,
): Promise<number | undefined> => {
  const { files, cwd } = host
  const at = (path: string) => resolvePath(cwd, fill(path))
  const put = (path: string, text: string) => {
    tell({ kind: 'action', text: `write ${path}` })
    files.replace(at(path), text, 0o644)
  }
  if ('write' in step) put(step.write, fill(step.text))
  else if ('append' in step) put(step.append, (files.read(at(step.append)) ?? '') + fill(step.text))
  else if ('replace' in step)
    put(
      step.replace,
      (files.read(at(step.replace)) ?? '').replace(fill(step.from), () => fill(step.text)),
    )
  else if ('summary' in step) fillSummary(host, task, fill(step.summary))
  else if ('commit' in step) return (await commitAll(host, fill(step.commit))) || undefined
  else if ('cleo' in step) {
    const words = step.cleo.map(fill)
    const exit = await run(host, [...(host.program ?? ['cleo']), ...words], ['cleo', ...words])
    return exit === (step.exit ?? 0) ? undefined : exit || 1
  } else if ('run' in step) return (await run(host, step.run.map(fill))) || undefined
  else if ('say' in step) tell({ kind: 'message', text: fill(step.say) })
  else if ('wait' in step) await after(step.wait)
  else if ('await' in step) while (files.kind(at(step.await)) === undefined) await after(20)
  else if ('print' in step) await printBytes(step.print)
  else if ('tokens' in step) {
    const [input, output] = step.tokens
    tell({ kind: 'tokens', input, output, ...(step.cost !== undefined && { cost: step.cost }) })
  } else if ('quota' in step) {
    tell({ kind: 'quota', text: step.quota, ...(step.until !== undefined && { until: step.until }) })
    return 1
  } else if ('auth' in step) {
    tell({ kind: 'auth', text: step.auth })
    return 1
  } else if ('denied' in step) tell({ kind: 'denied', what: fill(step.denied) })
  else if ('hang' in step) await after(2 ** 31 - 1)
  else return step.exit
  return undefined
}

/**
 * Commits what changed. An agent that was killed and started again may have made this commit before. In that case
 * nothing has changed, and no commit is made.
 */
const commitAll = async (host: Host, message: string): Promise<number> => {
  const added = await run(host, ['git', 'add', '-A'])
  if (added !== 0) return added
  const isCommitted = (await run(host, ['git', 'diff', '--cached', '--quiet'])) === 0
  return isCommitted ? 0 : run(host, ['git', 'commit', '-q', '-m', message])
}

const after = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms))

const printBytes = async (bytes: number): Promise<void> => {
  const chunk = `${'x'.repeat(1023)}\n`.repeat(64)
  for (let left = bytes; left > 0; left -= chunk.length) await write(1, chunk.slice(0, left))
}

/** The output of the program goes to the log. */
const run = async (host: Host, words: readonly string[], shown = words): Promise<number> => {
  const [program, ...args] = words as [string, ...string[]]
  tell({ kind: 'action', text: `$ ${shown.join(' ').slice(0, 200)}` })
  const ran = await host.processes.run(program, args, {
    cwd: host.cwd,
    env: definedVariables(host.env),
    input: '',
    timeoutMs: programMs,
    maxBytes: mostBytes,
  })
  const text = ran.end === 'not started' ? ran.reason : ran.tail
  if (text !== '') await write(2, text.endsWith('\n') ? text : `${text}\n`)
  if (ran.end === 'exited') return ran.code
  return ran.end === 'not started' ? 127 : 1
}

const fillSummary = ({ files, cwd }: Host, task: string, summary: string): void => {
  const folder = `${cwd}/claudedocs/agent-outputs`
  const name = files.list(folder).find((each) => each.startsWith(`${task}-`))
  if (name === undefined) return
  const path = `${folder}/${name}`
  const text = files.read(path) ?? ''
  const at = text.indexOf('## Summary\n')
  if (at < 0) return
  const next = text.indexOf('\n## ', at + 1)
  files.replace(
    path,
    `${text.slice(0, at)}## Summary\n\n${summary}\n${next < 0 ? '' : text.slice(next)}`,
    0o644,
  )
}
