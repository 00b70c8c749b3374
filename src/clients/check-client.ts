import { hookCallFile } from '../host/find-project.ts'
import type { Host, ProcessResult } from '../host/host.ts'
import { removeFile } from '../host/permissions.ts'
import { sha256 } from '../host/sha256.ts'
import type { Problem } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import { clientFacts, type SetupClient } from './client-names.ts'
import type { Place } from './client-parts.ts'
import { hookCommand, hookEvents } from './hook-command.ts'
import { hasHooks, programOf, wasHookCalled } from './installed.ts'
import { isChanged, planSetup } from './plan.ts'
import type { SetupRecord } from './setup-record.ts'

/** One thing that was checked. */
export interface Checked {
  what: string
  /** What was found. */
  found: string
  problem?: Problem
  /** True if it is worth knowing and stops nothing. */
  note?: true
}

const shortMs = 20_000
const turnMs = 180_000
const mostBytes = 64 * 1024

/** Checks the set-up of one client: its program, `cleo` in its shell, its files, and a hook called as the client calls it. */
export const checkClient = async (
  host: Host,
  client: SetupClient,
  { place, record, turn }: { place: Place; record: SetupRecord; turn: boolean },
): Promise<Checked[]> => [
  await program(host, client),
  await cleoInShell(host, client, place),
  await files(host, client, place, record),
  ...(hookEvents[client].length > 0 ? [await hook(host, client, place, record.clients[client])] : []),
  ...(turn ? [await oneTurn(host, client, place)] : []),
  ...(hasHooks(client) ? [hooksCalled(host, client, record.clients[client])] : []),
  ...(client === 'gemini' && place.scope === 'project' ? [agentAccepted(host, place)] : []),
]

const failed = (what: string, message: string, fix?: string): Checked => ({
  what,
  found: message,
  problem: { path: what, message, ...(fix && { fix }) },
})

const environment = ({ env }: Host): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )

const run = (
  host: Host,
  cwd: string,
  [name, ...args]: readonly [string, ...string[]],
  { input = '', timeoutMs = shortMs } = {},
): Promise<ProcessResult> =>
  host.processes.run(name, args, {
    cwd,
    env: environment(host),
    input,
    timeoutMs,
    maxBytes: mostBytes,
    keep: 'output',
    keepErrors: true,
  })

const said = (ran: ProcessResult): string => {
  if (ran.end === 'not started') return ran.reason
  if (ran.end !== 'exited') return ran.end
  const text = (ran.errors?.trim() || ran.tail.trim()).split('\n').at(-1)?.slice(0, 200)
  return `exit ${ran.code}${text ? `: ${text}` : ''}`
}

const program = async (host: Host, client: SetupClient): Promise<Checked> => {
  const { program: name, title } = clientFacts[client]
  const path = programOf(host, client)
  if (!path) return failed('program', `${name} is not on PATH, so ${title} cannot be started here`)
  const ran = await run(host, host.cwd, [path, '--version'])
  const text =
    ran.end === 'exited' && ran.code === 0 ? ran.tail.trim().split('\n')[0]!.slice(0, 100) : undefined
  return text === undefined
    ? failed('program', `${name} --version fails: ${said(ran)}`)
    : { what: 'program', found: `${path} ${text}` }
}

/** Codex and Claude Code start a login shell, which sets PATH anew. */
const cleoInShell = async (host: Host, client: SetupClient, { root }: Place): Promise<Checked> => {
  const { shell, title } = clientFacts[client]
  const ran = await run(host, root, [...shell, 'command -v cleo && cleo --version'] as [string, ...string[]])
  const lines = ran.end === 'exited' && ran.code === 0 ? ran.tail.trim().split('\n') : []
  const what = 'cleo in its shell'
  if (lines.length < 2)
    return failed(
      what,
      `the shell of ${title} (${shell.join(' ')}) does not find cleo: add its folder to PATH in ~/.profile`,
      `${shell.join(' ')} 'echo $PATH'`,
    )
  const found = lines.at(-1)!
  return found.includes(version)
    ? { what, found: `${lines[0]} ${found}` }
    : failed(
        what,
        `${lines[0]} is ${found}, and this is cleo ${version}`,
        `${shell.join(' ')} 'type -a cleo'`,
      )
}

const files = async (
  host: Host,
  client: SetupClient,
  place: Place,
  record: SetupRecord,
): Promise<Checked> => {
  const plan = await planSetup(host, client, place, record)
  const what = 'files'
  const line = `cleo setup ${client}${place.scope === 'user' ? ' --user' : ''}`
  const [problem] = plan.problems
  if (problem) return failed(what, `${problem.path} ${problem.message}`, `${line} --dry-run`)
  const missing = plan.files.filter(isChanged).map(({ path }) => path)
  return missing.length > 0
    ? failed(what, `not set up, or changed since: ${missing.join(', ')}`, line)
    : { what, found: `${plan.files.length} as set up` }
}

/** The input of a hook, as clients send it. */
const recordedInput = (event: string, cwd: string): string =>
  JSON.stringify({
    session_id: '00000000-0000-4000-8000-000000000000',
    transcript_path: '/dev/null',
    cwd,
    hook_event_name: event,
    source: 'startup',
    permission_mode: 'default',
  })

/** Runs the first hook as the client would. A session start changes nothing. */
const hook = async (
  host: Host,
  client: SetupClient,
  { root }: Place,
  since: number | undefined,
): Promise<Checked> => {
  const event = hookEvents[client][0]!
  const wasCalled = wasHookCalled(host, client, since)
  const ran = await run(host, root, ['sh', '-c', hookCommand(client, event)], {
    input: recordedInput(event, root),
  })
  // This call is not the client's.
  if (!wasCalled && wasHookCalled(host, client, since)) removeFile(hookCallFile(host, client)!)
  const what = 'hook'
  if (ran.end !== 'exited' || ran.code !== 0)
    return failed(what, `${event} fails: ${said(ran)}`, `cleo hook ${client} ${event} </dev/null`)
  return isAnswer(ran.tail)
    ? { what, found: `${event} answers` }
    : failed(what, `${event} does not answer with JSON: ${ran.tail.trim().slice(0, 100)}`)
}

const isAnswer = (text: string): boolean => {
  if (text.trim() === '') return true
  try {
    return typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

const oneTurn = async (host: Host, client: SetupClient, { root }: Place): Promise<Checked> => {
  const { program: name, turn } = clientFacts[client]
  const ran = await run(host, root, [name, ...turn], { timeoutMs: turnMs })
  return ran.end === 'exited' && ran.code === 0 && /ready/i.test(ran.tail)
    ? { what: 'turn', found: 'answered' }
    : failed('turn', `a turn failed: ${said(ran)}`)
}

const hooksCalled = (host: Host, client: SetupClient, since: number | undefined): Checked => {
  const what = 'hooks called'
  if (wasHookCalled(host, client, since)) return { what, found: 'yes' }
  const { trust, title } = clientFacts[client]
  return {
    what,
    found: `not since the set-up${trust ? `: ${trust}` : `; start ${title} here once`}`,
    note: true,
  }
}

/** Gemini uses an agent of a project only after a person accepted it, and asks only in a terminal. */
const agentAccepted = (host: Host, { root }: Place): Checked => {
  const what = 'agent accepted'
  const file = host.files.read(`${root}/.gemini/agents/cleo-subagent.md`)
  const hash = acceptedAgents(host)?.[root]?.['cleo-subagent']
  return file !== undefined && hash === sha256(file)
    ? { what, found: 'yes' }
    : {
        what,
        found:
          'not yet: start gemini in this project and accept the agent; until then it says that cleo-subagent is not found',
        note: true,
      }
}

const acceptedAgents = ({ files, home }: Host): Record<string, Record<string, string>> | undefined => {
  try {
    return JSON.parse(files.read(`${home}/.gemini/acknowledgments/agents.json`) ?? '{}')
  } catch {
    return undefined
  }
}
