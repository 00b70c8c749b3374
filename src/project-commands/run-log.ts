import type { ProcessResult } from '../host/host.ts'
import type { Project } from '../operation/context.ts'
import { printable } from '../print/printable.ts'

/** Returns how a command ended, as the end of a sentence. */
export const endingOf = (ran: ProcessResult, seconds: number): string => {
  if (ran.end === 'exited') return `exited with ${ran.code}`
  if (ran.end === 'timed out') return `was stopped after ${seconds} seconds`
  return ran.end === 'not started' ? `could not be started: ${ran.reason}` : 'was stopped'
}

/** Returns the last lines of the output and the path of the log, to be appended to a sentence. */
export const lastLines = (tail: string, log: string | undefined): string => {
  const lines = tail.trimEnd().split('\n').slice(-8).join('\n').slice(-800)
  const all = [...(lines === '' ? [] : [printable(lines, true)]), ...(log ? [`log: ${log}`] : [])]
  return all.length > 0 ? `:\n${all.join('\n')}` : ''
}

/** Writes a log under the next free number. Returns its path; undefined if the log folder is a symbolic link. */
export const writeLog = (
  { host, folder, root }: Pick<Project, 'host' | 'folder' | 'root'>,
  name: string,
  text: string,
): string | undefined => {
  const runs = `${folder}/test-runs`
  if (host.files.kind(runs) === undefined) host.files.makeFolder(runs, 0o700)
  if (host.files.realPath(runs) !== `${host.files.realPath(folder)}/test-runs`) return undefined
  for (let n = 1; ; n++) {
    const path = `${runs}/${name}-${n}.log`
    if (host.files.writeNew(path, text, 0o600)) return path.slice(root.length + 1)
  }
}
