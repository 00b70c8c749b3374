import type { ProcessResult } from '../host/host.ts'
import { childEnvironment } from '../host/programs.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'

export const defaultSeconds = 600

export const secondsAllowed = ({ config }: Pick<Project, 'config'>): number =>
  config.gates?.timeout ?? defaultSeconds

/** Runs a command of the project. It gets no terminal, no input and few variables. */
export const runCommand = (
  project: Pick<Project, 'host' | 'config' | 'progress'>,
  folder: string,
  words: readonly string[],
  maxBytes: number,
): Promise<ProcessResult> => {
  const [program, ...args] = words as [string, ...string[]]
  const report = reporting(project, words.join(' '))
  report?.()
  return project.host.processes.run(program, args, {
    cwd: folder,
    // CI=true keeps the program from prompting and from watching files.
    env: { ...childEnvironment(project.host.env), CI: 'true' },
    input: '',
    timeoutMs: secondsAllowed(project) * 1000,
    maxBytes,
    ...(report && { heard: (text) => void report({ line: lastLine(text) }) }),
  })
}

const lastLine = (text: string): string => {
  const lines = text.trimEnd().split(/[\n\r]+/)
  return lines.at(-1)!.trim()
}
