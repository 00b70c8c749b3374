import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { ended, executable, type Ran } from '../support/cleo.ts'

/** Fills in the placeholders of a printed command, as its reader would. It can also repeat a flag. */
export type Fill = (command: string) => string

/** Someone who runs only commands of CLEO that were printed for them before. */
export interface Hand {
  /** Everything they have read so far: their prompt, and what their commands printed. */
  readonly read: () => string
  /** Gives them something to read. */
  tell(text: string): void
  /** Runs the printed command that starts with this text. */
  follow(start: string, fill?: Fill): Promise<Ran>
  /** Runs the command. As long as it is refused, does what the refusal says and tries again. */
  insist(start: string, options?: Insist): Promise<Ran>
}

interface Insist {
  fill?: Fill
  /** Corrects a file that the refusal names. */
  correct?: (file: string) => void
  /** Text for the command's standard input. */
  input?: string
}

export const openHand = (cwd: string, env: Record<string, string>, as?: string): Hand => {
  let read = ''
  const run = async (command: string, input?: string): Promise<Ran> => {
    const ran = await shell(command, cwd, env, input)
    read += `$ ${command}\n${ran.stdout}${ran.stderr}[exit ${ran.exit}]\n`
    return ran
  }
  return {
    read: () => read,
    tell: (text) => {
      read += text
    },
    follow: (start, fill = same) => run(fillIn(printed(read, start), fill)),
    insist: async (start, { fill = same, correct, input } = {}) => {
      let command = fillIn(printed(read, start), fill)
      let ran = await run(command, input)
      for (let round = 0; ran.exit !== 0 && round < 4; round += 1) {
        const forgotten = as && ran.stderr.includes(`If you are ${as}, add --as ${as}.`)
        const files = new Set(
          [...ran.stderr.matchAll(/^ +(?:fix: )?correct (.*), then: cleo /gm)].map(([, file]) => file!),
        )
        const steps = stepsOf(ran)
        if (!forgotten && steps.length === 0) throw new Error(`Nothing to do about:\n${read.slice(-3000)}`)
        if (forgotten) command += ` --as ${as}`
        for (const file of files) correct?.(file)
        if (!forgotten) for (const step of steps) await run(fillIn(step, fill))
        ran = await run(command, input)
      }
      if (ran.exit !== 0) throw new Error(`What is printed leads nowhere:\n${read.slice(-3000)}`)
      return ran
    },
  }
}

const same: Fill = (command) => command

/** Fills in a printed command. Throws if a placeholder is left. */
const fillIn = (command: string, fill: Fill): string => {
  const filled = fill(command)
  const left = command.match(/<[a-z][^>]*>|"…"/g)?.find((placeholder) => filled.includes(placeholder))
  if (left) throw new Error(`Nobody filled in ${left} of: ${command}`)
  return filled
}

/** Returns the command that a refusal names as its fix. */
export const fixOf = ({ stderr }: Ran): string | undefined => /^ *fix: (cleo .*)$/m.exec(stderr)?.[1]

/** Returns the commands that a refusal names: one for each problem, or else its fix. */
const stepsOf = (ran: Ran): string[] => {
  const each = [...ran.stderr.matchAll(/^ {4,}fix: (?:correct .*, then: )?(cleo .*)$/gm)].map(
    ([, command]) => command!,
  )
  const fix = fixOf(ran)
  return each.length > 0 ? [...new Set(each)] : fix ? [fix] : []
}

/** Returns the last command in the text that starts with `start`. */
const printed = (text: string, start: string): string => {
  const lines = text.split('\n').filter((line) => !line.startsWith('$ '))
  for (const line of lines.reverse()) {
    const at = line.indexOf(start)
    if (at >= 0)
      return line
        .slice(at)
        .split(/`| {2}#/)[0]!
        .trimEnd()
  }
  throw new Error(`Nothing that was printed starts with: ${start}\n${text.slice(-3000)}`)
}

/** Runs a line as it was printed, in a shell where `cleo` is the built program. */
export const shell = (line: string, cwd: string, env: Record<string, string>, input = ''): Promise<Ran> => {
  const PATH = `${dirname(executable.command[0])}:${process.env['PATH']}`
  return ended(spawn('bash', ['-c', line], { cwd, env: { ...env, PATH } }), input)
}
