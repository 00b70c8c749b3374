import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ran } from '../support/cleo.ts'
import { shell } from './hand.ts'

export interface Reader {
  env: Record<string, string>
  /** The content of the task: the changed files, by path, and the rows of new tasks. */
  work: Record<string, string>
  rows: readonly object[]
  version: string
}

/**
 * Carries out a prompt literally. Runs the commands after First, Vote, Add, Before and Last in the given folder and
 * order, writes the named file, and commits where the prompt says so. Returns the return line.
 */
export const followLiterally = async (prompt: string, reader: Reader): Promise<string> => {
  const folder = only(prompt, /^Work in {2}(\/\S+)/m)
  const run = async (line: string): Promise<string> => {
    const ran: Ran = await shell(line, folder, reader.env)
    if (ran.exit !== 0) throw new Error(`${line}\n${ran.stdout}${ran.stderr}`)
    return ran.stdout.trim()
  }
  const output = join(folder, only(prompt, /^Write your report into (\S+)\.$/m))
  for (const { when, line } of commandsIn(prompt)) {
    if (when === 'Last') await doWork(prompt, reader, { folder, output, run })
    for (const filled of fillIn(when, line, reader, output)) await run(filled)
    if (when === 'First') expectMade(output)
  }
  return only(prompt, /^([A-Z]\w+ complete\. See .*)$/m)
}

const only = (text: string, pattern: RegExp): string => {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`The prompt says nothing like ${pattern}`)
  return found
}

/** Returns the commands to run, in order. Leaves out commands for single gates and commands after a question. */
const commandsIn = (prompt: string): { when: string; line: string }[] =>
  [...prompt.matchAll(/^(First|Vote|Add|Before|Last): +(cleo .*?)(?: {2}#.*)?$/gm)].map(([, when, line]) => ({
    when: when!,
    line: line!,
  }))

const expectMade = (output: string): void => {
  if (!readFileSync(output, 'utf8').includes('## Summary')) throw new Error(`${output} was not made`)
}

interface Place {
  folder: string
  output: string
  run(line: string): Promise<string>
}

const doWork = async (prompt: string, { work }: Reader, { folder, output, run }: Place): Promise<void> => {
  if (prompt.includes('\nCommit everything but the report')) {
    for (const [path, text] of Object.entries(work)) writeFileSync(join(folder, path), text)
    // In a worktree, no trailer is asked for.
    const trailer = /\(trailer `(Task: T\d+)`\)/.exec(prompt)?.[1]
    const message = `-m 'Do the work'${trailer ? ` -m '${trailer}'` : ''}`
    await run(`git add ${Object.keys(work).join(' ')} && git commit -q ${message}`)
  }
  const head = await run('git rev-parse HEAD')
  const text = `1. The result MUST hold: README.md:1, commit ${head}.`
  writeFileSync(output, readFileSync(output, 'utf8').replaceAll(/^## .*$/gm, `$&\n\n${text}`))
}

const fillIn = (when: string, line: string, { rows, version }: Reader, output: string): string[] => {
  const findings = line.includes('finish') ? ['It works.', 'It is small.', 'It is tested.'] : []
  const filled = line
    .replace(
      '--finding "<what others need to know>"',
      findings.map((text) => `--finding "${text}"`).join(' '),
    )
    .replaceAll('<paths>', output)
    .replace('v<version>', `v${version}`)
    .replace('< <rows.json>', `<<'END'\n${JSON.stringify(rows)}\nEND`)
    .replace('<why>', 'It is simpler.')
    .replace('<what you checked>', 'README.md:1')
  return when === 'Vote' ? [filled, filled.replace('--option 1 --accept', '--option 2 --reject')] : [filled]
}
