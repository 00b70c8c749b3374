import { childEnvironment } from '../host/programs.ts'
import type { Project } from '../operation/context.ts'
import { tokenCommandState } from '../project/trust-records.ts'
import { limits } from '../prompt/tokens/limits.ts'
import type { Output } from '../prompt/tokens/loaded.ts'
import { scan } from '../prompt/tokens/scan.ts'
import type { Source } from '../prompt/tokens/source.ts'

/** Runs the program of a command token, if it may be run. Only what it writes to standard output comes in. */
export const runCommand = async (
  project: Pick<Project, 'host' | 'root' | 'config'>,
  { trusted }: Source,
  words: readonly string[],
): Promise<Output> => {
  const { host, root, config } = project
  const [program, ...args] = words
  if (!trusted) return no('the template is not trusted')
  if (!program) return no('it is no program with arguments')
  if (!config.tokens?.commands?.includes(program)) return no(`${program} is not in tokens.commands`)
  // A value that became an argument would be something that came in through a token and acts.
  if (words.some((word) => scan(word).length > 0)) return no('tokens are not filled in inside a command')
  const state = tokenCommandState(project, program)
  if (state === 'new') return no(`${program} is not trusted; see: cleo trust`)
  if (state === 'changed') return no(`${program} has changed since it was trusted; see: cleo trust`)
  const ran = await host.processes.run(program, args, {
    cwd: root,
    env: childEnvironment(host.env),
    input: '',
    timeoutMs: limits.commandSeconds * 1000,
    maxBytes: limits.commandBytes,
    keep: 'output',
  })
  switch (ran.end) {
    case 'not started':
      return no(`it did not start: ${ran.reason}`)
    case 'timed out':
      return no(`it took longer than ${limits.commandSeconds} s`)
    case 'overran':
      return no(`it wrote more than ${limits.commandBytes / 1024} KiB`)
  }
  if (ran.code !== 0) return no(`it failed with exit ${ran.code}`)
  return ran.tail.includes('\0')
    ? no('it wrote something that is not text')
    : { ok: true, text: ran.tail.trimEnd() }
}

const no = (why: string): Output => ({ ok: false, why })
