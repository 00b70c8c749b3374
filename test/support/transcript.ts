import { spawn } from 'node:child_process'
import { closeSync, globSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Runtime } from './cleo.ts'
import { shellWords } from './shell-words.ts'
import { withTemp } from './temp.ts'

/** One command of a session and what it printed. */
export interface Step {
  /** The command as written, with the lines of its `<<` block. */
  lines: string[]
  /** Standard output and error as a terminal shows them, and `[exit N]` if the exit is not 0. */
  output: string[]
}

/** The part of a session under one `# heading`. The first line of the heading is the name of the test. */
export interface Section {
  heading: string[]
  steps: Step[]
}

const isCommand = (line: string) => line.startsWith('$ ')

/** Reads a session: `# heading` lines, `$ command` lines, and the expected output below each. */
export const parseTranscript = (text: string): Section[] => {
  const sections: Section[] = []
  const lines = text.split('\n')
  const section = () => sections.at(-1) ?? sections[sections.push({ heading: [], steps: [] }) - 1]!
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!
    // A heading comes after an empty line. A `# ` line directly after a command is output, such as Markdown.
    if (line.startsWith('# ') && (!lines[i - 1] || lines[i - 1]!.startsWith('# '))) {
      if (lines[i - 1]?.startsWith('# ')) section().heading.push(line)
      else sections.push({ heading: [line], steps: [] })
    } else if (isCommand(line)) {
      const end = commandEnd(lines, i)
      section().steps.push({ lines: lines.slice(i, end + 1), output: [] })
      i = end
    } else section().steps.at(-1)?.output.push(line)
  }
  for (const { steps } of sections) for (const step of steps) step.output = trimmed(step.output)
  return sections
}

/** Returns the index of a command's last line, after lines that end in `\` and after its `<<` block. */
const commandEnd = (lines: readonly string[], start: number): number => {
  let end = start
  while (lines[end]?.endsWith('\\')) end++
  const mark = /<<\s*'?(\w+)'?\s*$/.exec(lines[end] ?? '')?.[1]
  if (mark) end = lines.indexOf(mark, end + 1)
  if (end < start) throw new Error(`no end to the input of ${lines[start]}`)
  return end
}

/** Returns the command of a step on one line, without the `$` before it and the comment behind it. */
export const commandOf = ({ lines }: Step): string => {
  const line = lines.join(' ').slice(2)
  const comment = commentOf({ lines, output: [] })
  return comment === undefined ? line : line.slice(0, -comment.length - 2).trimEnd()
}

/** Returns the comment behind a command, such as `printed` in `$ cleo land T001  # printed`. */
export const commentOf = ({ lines }: Step): string | undefined => /\s# ([^"']+)$/.exec(lines.join(' '))?.[1]

const trimmed = (lines: string[]): string[] => {
  let end = lines.length
  while (end > 0 && lines[end - 1]!.trim() === '') end--
  return lines.slice(0, end)
}

export const printSection = ({ heading, steps }: Section): string => {
  const printed = steps.flatMap(({ lines, output }) => [
    ...lines,
    ...output,
    ...(output.length > 0 ? [''] : []),
  ])
  return [...heading, ...printed].join('\n').trimEnd()
}

export const printTranscript = (sections: readonly Section[]): string =>
  `${sections.map(printSection).join('\n\n')}\n`

/** A line that `init` prints only if an agent client is installed, which depends on the machine. */
const advisesSetup = /^ {2}next: cleo setup {2}/

/** Replaces what differs from run to run, such as session ids and times. Everything else must match exactly. */
export const normalised = (sections: readonly Section[], names = new Names()): Section[] =>
  sections.map(({ heading, steps }) => ({
    heading,
    steps: steps.map(({ lines, output }) => ({
      lines: lines.map((line) => names.shorten(line)),
      output: output.filter((line) => !advisesSetup.test(line)).map((line) => names.shorten(line)),
    })),
  }))

/** The beginning of a row of the budget table: the name of a part and its count. */
const budgetRow =
  /^( {2}(?:opening|task context|protocol|skill \S+|output|prompt|left for the work)) +\d+ */gm

const dayOf = (date: Date): string => date.toISOString().slice(0, 10)
const firstDay = dayOf(new Date())

class Names {
  private readonly sessions: string[] = []

  shorten(text: string): string {
    return (
      text
        .replace(/\bses_[0-9a-z]{12}\b/g, (id) => `ses_${this.numberOf(id)}`)
        .replace(/\bmoved-\S+Z\.db/g, 'moved-<moment>.db')
        // `db status` prints the version of the server.
        .replace(/^(SQLite|PostgreSQL) [\d.]+(?: \([^)]*\))? {2}/gm, '$1 <version>  ')
        .replace(
          /schema \d+ · (\d+ tasks?) · \d+ KiB · answers in \d+ ms/g,
          'schema <n> · $1 · answers in <n> ms',
        )
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '<time>')
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d\b/g, '<minute>')
        .replaceAll(firstDay, '<date>')
        // Replace the date of now too, because the date can change while the sessions run.
        .replaceAll(dayOf(new Date()), '<date>')
        .replace(/quiet for \d+ (?:s|min)\b/g, 'quiet for <n>')
        .replace(/"ms":\d+/g, '"ms":0')
        // The size of a folder depends on the file system.
        .replace(/ · [\d.]+ [kMG]?B\b/g, ' · <size>')
        // The hash of a prompt and its model tokens depend on the folder of the project.
        .replace(/("tokens":)\d+/g, '$10')
        // Each project has its own id, which is also in the paths of its backups in the state folder.
        .replace(/(\bproject\.|\/state\/cleo\/)[0-9a-z]{12}\b/g, '$1<id>')
        .replace(/("hash":")[0-9a-f]{12,64}/g, '$1<hash>')
        // The hash of an output file differs every day, because the file contains the date.
        .replace(/(file hash: )[0-9a-f]{64}/g, '$1<hash>')
        .replace(/ {2}[0-9a-f]{12}$/gm, '  <hash>')
        .replace(/(data-|\/cache\/)[0-9a-f]{8}\b/g, '$1<hash>')
        .replace(/\b[\d,]+ tokens\b/g, '<n> tokens')
        .replace(budgetRow, '$1  <n>  ')
        .replace(/(\d worktrees, )[\d.]+ [kMG]?B\b/g, '$1<size>')
        // Which agent clients are installed depends on the machine.
        .replace(/^( {2}clients: ).*$/gm, '$1<names>')
        .replace(/("next":\[[^\]]*),"cleo setup"\]/g, '$1]')
        .replace(/("clients":\[)"[a-z]+"(?:,"[a-z]+")*\]/g, '$1]')
        // Only `init` prints the name of the store. Hide it, so that a session has the same output on both stores.
        .replace('"store":"postgres"', '"store":"sqlite"')
        .replace(/\(PostgreSQL\)/, '(SQLite; for PostgreSQL see cleo db --help)')
    )
  }

  lengthen(text: string): string {
    return text.replace(/\bses_(\d{1,3})\b/g, (short, n: string) => this.sessions[Number(n) - 1] ?? short)
  }

  private numberOf(id: string): number {
    if (!this.sessions.includes(id)) this.sessions.push(id)
    return this.sessions.indexOf(id) + 1
  }
}

interface Shell {
  runtime: Runtime
  home: string
  cwd: string
  env: Record<string, string>
}

/** Runs a session in the new folder `shop` in ada's home folder. Returns its normalised output. */
export const runTranscript = (
  sections: readonly Section[],
  runtime: Runtime,
  env: Record<string, string> = {},
  /** The address of the database to use where a session names `teamDatabase`. */
  team = teamDatabase,
): Promise<Section[]> =>
  withTemp(async (home) => {
    const shell: Shell = { runtime, home, cwd: join(home, 'shop'), env }
    mkdirSync(shell.cwd)
    const names = new Names()
    const ran: Section[] = []
    for (const { heading, steps } of sections) {
      const done: Step[] = []
      for (const step of steps) {
        const lines = step.lines.map((line) => line.replaceAll(teamDatabase, team))
        const printed = await runStep(lines, shell, names)
        const shown = names.shorten(
          printed.text.replaceAll(home, '/home/ada').replaceAll(withoutPassword(team), teamDatabase),
        )
        const all = shown === '' ? [] : shown.replace(/\n$/, '').split('\n')
        const output = all.filter((line) => !advisesSetup.test(line))
        done.push({
          lines: step.lines,
          output: trimmed([...output, ...(printed.exit === 0 ? [] : [`[exit ${printed.exit}]`])]),
        })
      }
      ran.push({ heading, steps: done })
    }
    return ran
  })

/** The address that sessions show for a database of a team. */
export const teamDatabase = 'postgres://cleo@db.example/team'

const withoutPassword = (address: string): string => address.replace(/:[^:@/]*@/, '@')

interface Printed {
  text: string
  exit: number
}

const silent: Printed = { text: '', exit: 0 }

const runStep = async (lines: readonly string[], shell: Shell, names: Names): Promise<Printed> => {
  const command = readCommand(lines, names)
  const { env, words, input, from, to } = command
  const [program, ...args] = await Promise.all(words.map((word) => expanded(word, shell, names)))
  if (program === undefined || program === 'export') {
    const given = args.map((arg) => arg.split('=', 2) as [string, string])
    Object.assign(shell.env, env, Object.fromEntries(given))
    return silent
  }
  if (program === 'cd') {
    shell.cwd = resolve(shell.cwd, args[0]!)
    return silent
  }
  const stdin = from === undefined ? (input ?? '') : readFileSync(resolve(shell.cwd, from), 'utf8')
  const printed = await runProgram(program, args, { ...shell.env, ...env }, stdin, shell)
  if (to === undefined) return printed
  writeFileSync(resolve(shell.cwd, to), printed.text, { flag: command.appends ? 'a' : 'w' })
  return { ...printed, text: '' }
}

/** Replaces a word `$(cleo …)` by the output of that command. */
const expanded = async (word: string, shell: Shell, names: Names): Promise<string> => {
  const command = /^\$\((cleo .*)\)$/.exec(word)?.[1]
  return command ? (await runStep([`$ ${command}`], shell, names)).text.trim() : inHome(word, shell.home)
}

/** Replaces `~` and `/home/ada` by the home folder, and `*` or `<id>` in such a path by the first match. */
const inHome = (word: string, home: string): string => {
  const path = word.replace(/^(?:~|\/home\/ada)(?=\/)/, home)
  return path === word ? word : (globSync(path.replaceAll('<id>', '*'))[0] ?? path)
}

interface Command {
  env: Record<string, string>
  words: string[]
  input?: string
  from?: string
  to?: string
  appends?: boolean
}

/**
 * Reads a command. It may have quotes, `~/`, `/home/ada/`, a word `$(cleo …)`, `NAME=value` at the start, `<<END`, `<`,
 * `>` and `>>`.
 */
const readCommand = (lines: readonly string[], names: Names): Command => {
  const block = lines.findIndex((line) => /<<\s*'?\w+'?\s*$/.test(line))
  const head = block < 0 ? lines : lines.slice(0, block + 1)
  const text = head.map((line) => line.replace(/\\$/, ' ')).join('')
  const command: Command = { env: {}, words: [] }
  if (block >= 0) {
    const body = lines.slice(block + 1, -1).map((line) => `${line}\n`)
    command.input = names.lengthen(body.join(''))
  }
  const words = shellWords(names.lengthen(text.slice(2).replace(/<<\s*'?\w+'?\s*$/, '')))
  while (words.length > 0) {
    const word = words.shift()!
    const assigned = command.words.length === 0 ? /^([A-Z_]+)=(.*)$/.exec(word) : null
    if (assigned) command.env[assigned[1]!] = assigned[2]!
    else if (word === '<') command.from = words.shift()
    else if (word === '>' || word === '>>')
      Object.assign(command, { to: words.shift(), appends: word === '>>' })
    else command.words.push(word)
  }
  return command
}

const runProgram = (
  program: string,
  args: readonly string[],
  env: Record<string, string>,
  input: string,
  { runtime, home, cwd }: Shell,
): Promise<Printed> =>
  new Promise((done, fail) => {
    const [first, ...before] = program === 'cleo' ? runtime.command : [program]
    // Standard output and error use one file, so that the lines are in the order in which they were written.
    const printed = join(home, '.printed')
    const file = openSync(printed, 'w')
    const child = spawn(first!, [...before, ...args], {
      cwd,
      env: {
        ...gitIdentity,
        PATH: process.env['PATH'] ?? '',
        HOME: home,
        USER: 'ada',
        ...runtime.env,
        ...env,
      },
      stdio: ['pipe', file, file],
    })
    closeSync(file)
    child.on('error', fail)
    child.on('exit', (exit, signal) => {
      if (exit === null) return fail(new Error(`${program} ${args.join(' ')} ended by ${signal}`))
      done({ exit, text: readFileSync(printed, 'utf8') })
    })
    // The write fails if the program ends without reading its input.
    child.stdin!.on('error', () => undefined)
    child.stdin!.end(input)
  })

export const gitIdentity = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
