import { execFile } from 'node:child_process'
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
  /** The checkout of the person. */
  folder: string
  /** Prints a sentence about the next step. */
  explain(text: string): void
  /** Runs one command of the orchestrator. Stops the demo if the answer is not the expected one. */
  cleo(args: readonly string[], expected: Expected): Promise<string>
  /** Sets the session of the orchestrator's next commands. */
  useSession(session: string): void
  /** Runs one command of a subagent in its folder. Prints it indented, with the spawn's id. */
  agent(spawn: string, folder: string, args: readonly string[], expected: Expected): Promise<string>
  /** Runs another program. Prints the command and its output only if `expected` is given. */
  run(words: readonly [string, ...string[]], expected?: Expected, folder?: string): Promise<string>
}

interface Command {
  words: readonly [string, ...string[]]
  /** The command as it is printed; left out, nothing is printed. */
  shown?: string
  expected: Expected
  folder: string
  /** What every printed line starts with. */
  margin?: string
}

export const runDemo = async (work: (demo: Demo) => Promise<void>): Promise<void> => {
  const home = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-demo-'))
  const shop = join(home, 'shop')
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    USER: 'you',
    COLUMNS: String(process.stdout.columns ?? 100),
    GIT_CONFIG_GLOBAL: '/dev/null',
    ...(isTerminal && { FORCE_COLOR: '1' }),
  }
  const step = async ({ words, shown, expected, folder, margin = '' }: Command): Promise<string> => {
    const { status, text } = await runProgram(words, folder, env)
    if (shown !== undefined) {
      const answer = `${excerpt(text, expected)}${status ? `\n${dim(`[exit ${status}]`)}` : ''}`
      const all = `${dim('$')} ${bold(shown)}\n${answer}`
      console.log(`${all.replaceAll(home, '~').trimEnd().replaceAll(/^/gm, margin)}\n`)
    }
    const { exit = 0, says } = expected
    if (status !== exit) throw new Error(`expected exit ${exit}, not ${status}: ${text}`)
    if (!stripVTControlCharacters(text).includes(says))
      throw new Error(`expected the answer to say "${says}"`)
    return text
  }
  const cleo = (args: readonly string[], expected: Expected, folder: string, margin?: string) =>
    step({
      words: [program, ...args, '--human'],
      shown: `cleo ${args.map(quoted).join(' ')}`,
      ...{ expected, folder, ...(margin !== undefined && { margin }) },
    })
  try {
    await work({
      folder: shop,
      explain: (text) => console.log(`${bold('#')} ${text}\n`),
      cleo: (args, expected) => cleo(args, expected, shop),
      useSession: (session) => {
        env['CLEO_SESSION_ID'] = session
      },
      agent: (spawn, folder, args, expected) =>
        cleo([...args, '--as', spawn], expected, folder, `    ${dim(spawn)} `),
      run: (words, expected, folder = shop) =>
        step({
          words,
          ...(expected && { shown: words.map(quoted).join(' ') }),
          expected: expected ?? { says: '' },
          folder,
        }),
    })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const runProgram = (
  [name, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Record<string, string>,
): Promise<{ status: number; text: string }> =>
  new Promise((done, fail) => {
    execFile(name, args, { cwd, env, encoding: 'utf8' }, (error, stdout, stderr) => {
      const status = error ? error.code : 0
      if (typeof status !== 'number') return fail(error)
      done({ status, text: `${stdout}${stderr}`.trimEnd() })
    })
  })

const excerpt = (text: string, { only, lines: most = Number.POSITIVE_INFINITY }: Expected): string => {
  const lines = text.split('\n').filter((line) => only?.test(line) ?? true)
  return lines.length <= most
    ? lines.join('\n')
    : [...lines.slice(0, most), dim(`… ${lines.length - most} more lines`)].join('\n')
}

const quoted = (word: string) => (/^[\w,./:=%-]+$/.test(word) ? word : `"${word}"`)
