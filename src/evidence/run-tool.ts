import { childEnvironment } from '../host/child-environment.ts'
import type { Ran } from '../host/host.ts'
import type { Tool } from '../kernel/config-words.ts'
import { printable } from '../kernel/print/printable.ts'
import type { Context } from '../operation/context.ts'
import { contradicted, countsIn } from './counts.ts'
import { type Place, placed, silent } from './place.ts'
import { leftOutOf } from './recheck.ts'
import type { SeenTool } from './seen.ts'

const defaultSeconds = 600
const tailBytes = 16 * 1024
/** Of the output that is kept with the evidence itself; the log has more. */
const keptTail = 2000

export interface ToolRun {
  seen: SeenTool
  /** Undefined where it succeeded. */
  failed?: string
  warning?: string
  /** Hash of the folder's files, as they were all the time it ran. */
  tree?: string
}

/** Runs a command of the project where the caller works, and records what it saw: end, counts, files, tail. */
export const runTool = async (
  context: Context,
  place: Place,
  {
    tool,
    words,
    name,
    made,
  }: { tool: Tool; words: readonly string[]; name: string; made: readonly string[] },
): Promise<ToolRun> => {
  const { differences, treeAt, treeHash } = await import('../host/work-tree.ts')
  const look = () => treeAt(place.folder, place.git, leftOutOf(context, place.folder))
  const seconds = context.config.gates?.timeout ?? defaultSeconds
  const before = await look()
  const [mute] = silent(place)
  if (mute) return { seen: { kind: 'tool', tool, command: words.join(' ') }, failed: mute.message }
  const [program, ...args] = words as [string, ...string[]]
  const ran = await context.host.processes.run(program, args, {
    cwd: place.folder,
    // No terminal and nothing to wait for: programs that would ask, or watch, are told so the usual way.
    env: { ...childEnvironment(context.host.env), CI: 'true' },
    input: '',
    timeoutMs: seconds * 1000,
    maxBytes: tailBytes,
  })
  const after = await look()
  const changes = before && after ? differences(before, after) : []
  const own = coarse(changes.flatMap(({ path, tracked }) => (tracked ? [] : [path])))
  const tail = ran.end === 'not started' ? ran.reason : ran.tail
  const command = words.join(' ')
  const ending = endingOf(ran, seconds)
  const log = keepLog(context, name, `$ ${command}\n${placed(place)}\n\n${tail}\n\n${ending}\n`)
  const counts = countsIn(tail)
  const against = tool === 'test' ? contradicted(tail) : undefined
  const moved = changes.flatMap(({ path, tracked }) => (tracked ? [path] : []))
  const failed =
    ran.end !== 'exited' || ran.code !== 0
      ? `${command} ${ending} in ${placed(place)}${lastLines(tail, log)}`
      : !after || moved.length > 0
        ? `${moved[0] ?? 'something'} changed while ${command} ran in ${placed(place)}; run it again`
        : against && `${command} ended with 0 in ${placed(place)}, but ${against}`
  return {
    seen: {
      kind: 'tool',
      tool,
      command,
      ...(ran.end === 'exited' && { exit: ran.code }),
      ...(counts && { counts }),
      ...(log && { log }),
      tail: tail.slice(-keptTail),
      ...(own.length > 0 && { made: own }),
    },
    ...(failed && { failed }),
    ...(!log && { warning: `${context.folder}/test-runs is a link: the output is not kept` }),
    ...(after && { tree: treeHash(after, [...made, ...own]) }),
  }
}

const endingOf = (ran: Ran, seconds: number): string => {
  if (ran.end === 'exited') return `ended with ${ran.code}`
  if (ran.end === 'timed out') return `was stopped after ${seconds} seconds`
  return ran.end === 'not started' ? `could not be started: ${ran.reason}` : 'was stopped'
}

const lastLines = (tail: string, log: string | undefined): string => {
  const lines = tail.trimEnd().split('\n').slice(-8).join('\n').slice(-800)
  const all = [...(lines === '' ? [] : [printable(lines, true)]), ...(log ? [`kept in ${log}`] : [])]
  return all.length > 0 ? `:\n${all.join('\n')}` : ''
}

const mostNames = 200

/** Names, or the folders they are in where that would be too many. */
const coarse = (paths: readonly string[]): string[] => {
  if (paths.length <= mostNames) return [...paths]
  const folders = [...new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1) || path))]
  if (folders.length <= mostNames) return folders
  return [...new Set(paths.map((path) => (path.includes('/') ? path.slice(0, path.indexOf('/') + 1) : path)))]
}

/** Under the next free number; answers its path below the project. Undefined where a link would lead it elsewhere. */
const keepLog = ({ host, folder, root }: Context, name: string, text: string): string | undefined => {
  const runs = `${folder}/test-runs`
  if (host.files.kind(runs) === undefined) host.files.makeFolder(runs, 0o700)
  if (host.files.realPath(runs) !== `${host.files.realPath(folder)}/test-runs`) return undefined
  for (let n = 1; ; n++) {
    const path = `${runs}/${name}-${n}.log`
    if (host.files.writeNew(path, text, 0o600)) return path.slice(root.length + 1)
  }
}
