import type { Host, ProcessResult } from '../host/host.ts'
import { removeFile } from '../host/permissions.ts'
import { sha256 } from '../host/sha256.ts'
import { hookCallFile } from '../host/user-folders.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import type { Problem } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import { clientFacts } from './client-facts.ts'
import type { Place } from './client-parts.ts'
import { fileAt } from './file-state.ts'
import { hookCommand, hookEvents } from './hook-command.ts'
import { hasHooks, programOf, wasHookCalled } from './installed.ts'
import { shownPath } from './place.ts'
import { isChanged, planSetup } from './plan.ts'
import type { SetupRecord } from './setup-record.ts'

export interface Checked {
  what: string
  found: string
  problem?: Problem
  /** True if this is only information, not a problem. */
  note?: true
}

/**
 * Lets a client make one real turn. This function is passed as an argument, because this room may not import the room
 * that starts agents.
 */
export type RealTurn = (host: Host, client: AgentClient) => Promise<Checked>

const shortMs = 20_000
const mostBytes = 64 * 1024

/**
 * Checks the set-up of one client: its program, `cleo` in its shell, and its files. Also calls a hook, as the
 * client would.
 */
export const checkClient = async (
  host: Host,
  client: AgentClient,
  { place, record, turn }: { place: Place; record: SetupRecord; turn: RealTurn | undefined },
): Promise<Checked[]> => [
  await program(host, client),
  await cleoInShell(host, client, place),
  ...(await files(host, client, place, record)),
  ...(hookEvents[client].length > 0 ? [await hook(host, client, place, record.clients[client])] : []),
  ...(turn ? [await turn(host, client)] : []),
  ...(hasHooks(client) ? [hooksCalled(host, client, record.clients[client])] : []),
  ...(client === 'gemini' && place.scope === 'project' ? [agentAccepted(host, place)] : []),
  ...(client === 'qwen' && place.scope === 'project' ? [serverApproved(host, place)] : []),
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
  { input = '' } = {},
): Promise<ProcessResult> =>
  host.processes.run(name, args, {
    cwd,
    env: environment(host),
    input,
    timeoutMs: shortMs,
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

const program = async (host: Host, client: AgentClient): Promise<Checked> => {
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

/**
 * Checks that the client's shell finds this version of `cleo`. Codex and Claude Code start a login shell, which sets
 * PATH again and can lose the folder of `cleo`.
 */
const cleoInShell = async (host: Host, client: AgentClient, { root }: Place): Promise<Checked> => {
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
        `the shell finds ${lines[0]} (${found}), but you run cleo ${version}`,
        `${shell.join(' ')} 'type -a cleo'`,
      )
}

const files = async (
  host: Host,
  client: AgentClient,
  place: Place,
  record: SetupRecord,
): Promise<Checked[]> => {
  const plan = await planSetup(host, client, place, record)
  const what = 'files'
  const notes = [
    ...plan.kept.map((kept) => whatIsYours(host, kept, place, record)),
    ...otherAgents(host, plan.agentPath, place),
  ].map((found): Checked => ({ what: 'yours', found, note: true }))
  const line = `cleo setup ${client}${place.scope === 'user' ? ' --user' : ''}`
  const [problem] = plan.problems
  if (problem) return [failed(what, `${problem.path} ${problem.message}`, `${line} --dry-run`), ...notes]
  const missing = plan.files.filter(isChanged).map(({ path }) => path)
  return [
    missing.length > 0
      ? failed(what, `are missing or differ from what cleo setup writes (${missing.join(', ')})`, line)
      : { what, found: `${plan.files.length} as set up` },
    ...notes,
  ]
}

/** Names what a set-up would not overwrite: an entry or a file of the user, or a file of CLEO that the user edited. */
const whatIsYours = (
  host: Host,
  { path, what }: { path: string; what: string },
  place: Place,
  record: SetupRecord,
): string => {
  const shown = shownPath(place, path)
  if (what !== 'this file') return `${shown}: ${what} is used instead of CLEO's`
  const isEdited = record.files[fileAt(host, place.root, path)]?.entries.some(
    ({ entry }) => entry.kind === 'file',
  )
  return isEdited
    ? `${shown} was edited since the set-up; delete it and run setup again to have CLEO's`
    : `${shown} is yours and is used instead of CLEO's`
}

/**
 * Looks at the other files in the folder of CLEO's agent file. If a file also defines `cleo-subagent`, the client could
 * use that file instead of CLEO's file. Returns a sentence about each such file.
 */
const otherAgents = ({ files }: Host, own: string | undefined, place: Place): string[] => {
  if (own === undefined) return []
  const folder = own.slice(0, own.lastIndexOf('/'))
  return files.list(`${place.root}/${folder}`).flatMap((name) => {
    const path = `${folder}/${name}`
    if (path === own || !/\.(?:md|toml)$/.test(name)) return []
    const text = place.readText(path) ?? ''
    return /^name\s*[:=]\s*["']?cleo-subagent["']?\s*$/m.test(text)
      ? [`${shownPath(place, path)} also defines cleo-subagent: the client may use it instead of CLEO's`]
      : []
  })
}

const recordedInput = (event: string, cwd: string): string =>
  JSON.stringify({
    session_id: '00000000-0000-4000-8000-000000000000',
    transcript_path: '/dev/null',
    cwd,
    hook_event_name: event,
    source: 'startup',
    permission_mode: 'default',
  })

/** Runs the hook for session start as the client would. This hook changes nothing. */
const hook = async (
  host: Host,
  client: AgentClient,
  { root }: Place,
  since: number | undefined,
): Promise<Checked> => {
  const event = hookEvents[client][0]!
  const wasCalled = wasHookCalled(host, client, since)
  const ran = await run(host, root, ['sh', '-c', hookCommand(client, event)], {
    input: recordedInput(event, root),
  })
  // This call was made by the check, not by the client. So remove the record of the call.
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

const hooksCalled = (host: Host, client: AgentClient, since: number | undefined): Checked => {
  const what = 'hooks called'
  if (wasHookCalled(host, client, since)) return { what, found: 'yes' }
  const { trust, title } = clientFacts[client]
  return {
    what,
    found: `not since the set-up${trust ? `: ${trust}` : `; start ${title} here once`}`,
    note: true,
  }
}

/**
 * Checks whether a person has accepted the project's agent in Gemini. Until then, Gemini does not use the agent. Gemini
 * asks the person only at a terminal.
 */
const agentAccepted = (host: Host, { root }: Place): Checked => {
  const what = 'agent accepted'
  const file = host.files.read(`${root}/.gemini/agents/cleo-subagent.md`)
  const hash = kept<string>(host, '.gemini/acknowledgments/agents.json')?.[root]?.['cleo-subagent']
  return file !== undefined && hash === sha256(file)
    ? { what, found: 'yes' }
    : {
        what,
        found:
          'not yet: start gemini in this project and accept the agent; until then it says that cleo-subagent is not found',
        note: true,
      }
}

/**
 * Checks whether a person has approved the project's MCP server in Qwen. Until then, Qwen does not start the server.
 * Qwen asks the person only at a terminal.
 */
const serverApproved = (host: Host, { root }: Place): Checked => {
  const what = 'server approved'
  const approvals = kept<{ status: string }>(host, '.qwen/mcpApprovals.json')
  return approvals?.[root]?.['cleo']?.status === 'approved'
    ? { what, found: 'yes' }
    : { what, found: `not yet: ${clientFacts.qwen.approve}`, note: true }
}

/**
 * Reads a client's file with facts about each project. The file is in the home folder. Returns undefined if the
 * file is damaged.
 */
const kept = <T>({ files, home }: Host, path: string): Record<string, Record<string, T>> | undefined => {
  try {
    return JSON.parse(files.read(`${home}/${path}`) ?? '{}')
  } catch {
    return undefined
  }
}
