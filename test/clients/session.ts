import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Report } from './closed-network.ts'
import type { Fetched } from './fetched.ts'
import type { Call } from './model/conversation.ts'
import type { Served } from './model/server.ts'
import type { Stage } from './stage.ts'

/** A session of a real client that the guide shows. `scripts/session-pictures.ts` draws it. */
export interface Session {
  /** The name of the picture, if it is not the name of the client. */
  name?: string
  client: string
  version: string
  lines: SessionLine[]
}

export interface SessionLine {
  /** `lead`, or `worker` for the subagent. */
  who: string
  /** What the model did or said. */
  does: string
  /** The beginning of CLEO's answer, if there was one. */
  heard?: string[]
}

/**
 * Compares what the agents did with the recorded session, so that the picture in the guide stays true. With UPDATE=1,
 * records the session. CLEO's answers are recorded but not compared, because clients cut them differently.
 */
export const keepSession = (
  report: Report,
  { project, home }: Stage,
  { name: client, version }: Fetched,
  name?: string,
): void => {
  const path = join(import.meta.dirname, 'recorded', `session-${name ?? client}.json`)
  const plain = (text: string) =>
    text
      .replaceAll(project, '/home/ada/sums')
      .replaceAll(home, '/home/ada')
      // Each project has its own id.
      .replaceAll(/\/cleo\/[0-9a-z]{12}\/worktrees/g, '/cleo/0f3e4415f704/worktrees')
      .replaceAll('\r', '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
  const session: Session = { ...(name && { name }), client, version, lines: linesOf(report.served, plain) }
  if (process.env['UPDATE']) writeFileSync(path, `${JSON.stringify(session, null, 2)}\n`)
  const recorded = JSON.parse(readFileSync(path, 'utf8')) as Session
  // Compare agent by agent, because agents run at the same time.
  const acts = ({ version, lines }: Session) => [
    version,
    ...lines
      .map(({ who, does }) => `${who}: ${does}`)
      .sort((a, b) => a.slice(0, 4).localeCompare(b.slice(0, 4))),
  ]
  expect(acts(session), `${path}; UPDATE=1 records it again`).toEqual(acts(recorded))
}

const linesOf = (served: readonly Served[], plain: (text: string) => string): SessionLine[] => {
  const own = served.filter(({ agent, answer, fault }) => agent !== undefined && answer && !fault)
  return own.flatMap(({ agent, step, answer }, i): SessionLine[] => {
    const later = own.slice(i + 1).find((next) => next.agent === agent)
    // If the client asked for the same step again, keep only its last request.
    if (later?.step === step) return []
    const next = later?.conversation?.turns.at(-1)
    const says = answer!.calls.length === 0 && answer!.text ? [`says: ${answer!.text}`] : []
    const does = [...answer!.calls.map(named), ...says].map(plain)
    const heard = fromCleo(plain(next?.results || next?.text || ''), does[0] ?? '')
    return does.map((each, n) => ({ who: agent!, does: each, ...(n === 0 && heard.length > 0 && { heard }) }))
  })
}

const named = ({ tool, input }: Call): string => {
  const command = input['command'] ?? input['cmd']
  if (typeof command === 'string') return `$ ${command.split(" <<'")[0]}`
  const file = input['file_path'] ?? input['filePath'] ?? input['absolute_path'] ?? input['path']
  if (typeof file === 'string') return `${tool.name} ${file.slice(file.lastIndexOf('/') + 1)}`
  const prompt = input['prompt'] ?? input['message'] ?? input['query']
  if (typeof prompt === 'string') return `${tool.name} cleo-subagent: ${prompt}`
  const patched = /\*\*\* Add File: (?:\S*\/)?(\S+)/.exec(String(input['text'] ?? ''))?.[1]
  const result = input['result'] ?? input['response']
  if (typeof result === 'string') return `says: ${result}`
  return patched ? `${tool.name} ${patched}` : tool.name
}

/** Lines that clients put after the output of a command. */
const ofClient = /^(?:<shellId: |Process Group PGID: |Error: \(none\)|Exit Code: |Signal: )/

/** Returns the first lines of CLEO's answer, without what clients put before it. */
const fromCleo = (text: string, does: string): string[] => {
  const held = /CLEO: [\s\S]*/.exec(text)?.[0]
  if (held) return held.split('\n').slice(0, 3)
  if (!does.startsWith('$ cleo')) return []
  const body = text.replace(/^[\s\S]*?^Output:[ \t]*\n?/m, '')
  return body
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('warning:') && !ofClient.test(line))
    .slice(0, 2)
}
