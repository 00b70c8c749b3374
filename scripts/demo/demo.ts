import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const program = join(import.meta.dirname, '..', '..', 'dist', 'cleo')
const isTerminal = process.stdout.isTTY === true
const dim = (text: string) => (isTerminal ? `\u001b[2m${text}\u001b[22m` : text)
const bold = (text: string) => (isTerminal ? `\u001b[1m${text}\u001b[22m` : text)

export interface Expected {
  /** The exit status; 0 if left out. Steps that show a refusal set it. */
  exit?: number
  /** Text the answer must contain. */
  says: string
  /** How many lines of the answer to show; all if left out. */
  lines?: number
  /** Which lines of the answer to show; all if left out. */
  only?: RegExp
}

/** A scratch project, and the ways to run commands in it as orchestrator, subagent or other program. */
export interface Demo {
  folder: string
  /** Prints a sentence about the next step. */
  explain(text: string): void
  /** Runs one command of the orchestrator. Stops the demo if the answer is not the expected one. */
  cleo(args: readonly string[], expected: Expected): string
  /** Sets the session of the orchestrator's next commands. */
  useSession(session: string): void
  /** Runs one command of a subagent in the same way. Prints it indented, with the spawn's id. */
  agent(spawn: string, args: readonly string[], expected: Expected): void
  /** Runs another program. Prints the command and its output only if `expected` is given. */
  run(words: readonly [string, ...string[]], expected?: Expected): string
}

export const runDemo = (work: (demo: Demo) => void): void => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-demo-'))
  const folder = join(home, 'shop')
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USER: 'you',
    COLUMNS: String(process.stdout.columns ?? 100),
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...(isTerminal && { FORCE_COLOR: '1' }),
  }
  const step = (
    words: readonly [string, ...string[]],
    shown: string | undefined,
    { exit = 0, says, lines, only }: Expected,
    margin: string,
  ): string => {
    const [name, ...args] = words
    const ran = spawnSync(name, args, { cwd: folder, env, encoding: 'utf8' })
    const text = `${ran.stdout ?? ''}${ran.stderr ?? ''}`.trimEnd()
    if (shown !== undefined) {
      const seen = only
        ? text
            .split('\n')
            .filter((line) => only.test(line))
            .join('\n')
        : text
      const answer = `${beginning(seen, lines)}${ran.status ? `\n${dim(`[exit ${ran.status}]`)}` : ''}`
      const all = `${dim('$')} ${bold(shown)}\n${answer}`
      console.log(`${all.trimEnd().replaceAll(/^/gm, margin)}\n`)
    }
    if (ran.error) throw ran.error
    if (ran.status !== exit) throw new Error(`expected exit ${exit}, not ${ran.status}: ${text}`)
    if (!stripVTControlCharacters(text).includes(says))
      throw new Error(`expected the answer to say "${says}"`)
    return text
  }
  const cleo = (args: readonly string[], expected: Expected, margin: string) =>
    step([program, ...args, '--human'], `cleo ${args.map(quoted).join(' ')}`, expected, margin)
  try {
    work({
      folder,
      explain: (text) => console.log(`${bold('#')} ${text}\n`),
      cleo: (args, expected) => cleo(args, expected, ''),
      useSession: (session) => {
        env['CLEO_SESSION_ID'] = session
      },
      agent: (spawn, args, expected) => void cleo([...args, '--as', spawn], expected, `    ${dim(spawn)} `),
      run: (words, expected) =>
        step(words, expected && words.map(quoted).join(' '), expected ?? { says: '' }, ''),
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const beginning = (text: string, most = Number.POSITIVE_INFINITY): string => {
  const lines = text.split('\n')
  return lines.length <= most
    ? text
    : [...lines.slice(0, most), dim(`… ${lines.length - most} more lines`)].join('\n')
}

const quoted = (word: string) => (/^[\w,./:-]+$/.test(word) ? word : `"${word}"`)
