import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { PrintedTokens } from '../../src/overview/printed-tokens.ts'
import { loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { data, executable, type Ran, run, start } from '../support/cleo.ts'
import { printedBefore, printedIn } from '../support/printed-before.ts'
import { shellWords } from '../support/shell-words.ts'
import { withTemp } from '../support/temp.ts'

const tokens = await loadTokenizer()

interface Shell {
  root: string
  /** The outputs that the orchestrator has read, each with its model tokens. */
  read: { command: string; tokens: number }[]
  session?: string
}

const plain = ({ root }: Shell, args: readonly string[], input?: string): Ran =>
  run(executable, args, { cwd: root, ...(input !== undefined && { input }) })

/** Runs a command as the orchestrator, who reads everything that the command prints. */
const lead = (shell: Shell, ...args: string[]): string => {
  const session: Record<string, string> = shell.session ? { CLEO_SESSION_ID: shell.session } : {}
  const { exit, stdout, stderr } = run(executable, args, {
    cwd: shell.root,
    env: { CLEO_FORMAT: 'human', ...session },
  })
  expect(exit, stderr).toBe(0)
  shell.read.push({ command: args[0]!, tokens: tokens(stdout + stderr) })
  return stdout
}

const find = (text: string, pattern: RegExp): string | undefined => pattern.exec(text)?.[1]

/** Counts the model tokens of `data` in the JSON answer, which is the part that a program reads. */
const dataTokens = (shell: Shell, ...args: string[]): number =>
  tokens(JSON.stringify(data(plain(shell, args))))

/** Plays a subagent that does exactly what its prompt says. Returns the return line. */
const playSubagent = (shell: Shell, prompt: string): string => {
  const commands = [...prompt.matchAll(/^(?:First|Last): +(cleo .*?)(?: {2}#.*)?$/gm)].map(
    ([, line]) => line!,
  )
  expect(commands.map((line) => line.split(' ')[1])).toEqual(['focus', 'finish'])
  for (const [path] of prompt.matchAll(/src\/form-\d+\.ts/g))
    writeFileSync(join(shell.root, path), 'export const form = 2\n')
  // The prompt names `--no-tests` if work without tests needs this flag.
  const needsNoTest = prompt.includes('(`--no-tests`)')
  for (const line of commands) {
    const words = line
      .replace('<paths>', 'src/form.ts')
      .replace(/--finding "<[^>]*>"/, '--finding "One." --finding "Two." --finding "Three."')
      .replace('cleo finish T', (found) =>
        needsNoTest ? found.replace('T', '--no-tests "The form has none." T') : found,
      )
    const done = data<{ output?: string }>(plain(shell, shellWords(words).slice(1)))
    if (line.startsWith('cleo focus set')) fillIn(done.output!)
  }
  return /^(\w+ complete\. See .*)$/m.exec(prompt)![1]!
}

const fillIn = (path: string): void =>
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nWhat was found.\n') +
      '\n- https://example.org/source\n',
  )

const plantEpic = (shell: Shell): void => {
  mkdirSync(join(shell.root, 'src'))
  for (const name of ['form', ...Array.from({ length: 20 }, (_, i) => `form-${i}`)])
    writeFileSync(join(shell.root, `src/${name}.ts`), 'export const form = 1\n')
  const rows = Array.from({ length: 20 }, (_, i) =>
    i % 5 < 3
      ? {
          key: `t${i}`,
          title: `Compare the ways to store a password, part ${i + 1}`,
          labels: ['research'],
          description: 'Which of them do we use, and why? Memory and time matter most.',
          depends: i >= 5 ? [`t${i - 5}`] : [],
        }
      : {
          key: `t${i}`,
          title: `Build the form for signing up, part ${i + 1}`,
          files: [`src/form-${i}.ts`],
          description: 'The form and its handler, with a check of the address.',
          acceptance: ['rejects a bad e-mail address'],
          depends: [`t${i - 3}`],
        },
  )
  const batch = [
    { key: 'e', title: 'Customer accounts', type: 'epic' },
    ...rows.map((row) => ({ ...row, parent: 'e' })),
  ]
  data(plain(shell, ['init']))
  data(plain(shell, ['add', '--batch'], JSON.stringify(batch)))
}

describe('what an orchestrator reads', () => {
  test('[OUT-4] [ORCH-4] [ORCH-5] an epic of 20 tasks costs its orchestrator at most 4,000 tokens as text', () =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      plantEpic(shell)
      shell.session = find(lead(shell, 'start', 'T001'), /CLEO_SESSION_ID=(\S+)/)!
      lead(shell, 'prime')
      lead(shell, 'ready')
      let received = 0
      let receivedData = 0
      for (;;) {
        const next = lead(shell, 'next')
        const task = find(next, /then: cleo spawn (T\d+) --ref/)
        if (!task) break
        expect(dataTokens(shell, 'next')).toBeLessThan(120)
        const promptFile = find(lead(shell, 'spawn', task, '--ref'), /(\/\S+\/T\d+\.1\.md)/)!
        // Change the declared file, because CLEO refuses a task whose files did not change.
        const file = join(root, `src/form-${Number(task.slice(1)) - 2}.ts`)
        writeFileSync(file, `export const form = ${received + 2}\n`)
        const line = playSubagent(shell, readFileSync(promptFile, 'utf8'))
        const receive = ['receive', task, '--message', line]
        receivedData = Math.max(receivedData, dataTokens(shell, ...receive, '--dry-run'))
        expect(lead(shell, ...receive)).toContain(`✓ ${task} complete`)
        received++
      }
      lead(shell, 'status')
      expect(received).toBe(20)
      expect(data(plain(shell, ['show', 'T001']))).toMatchObject({ status: 'done' })

      const costs = (command: string) =>
        shell.read.filter((each) => each.command === command).map((each) => each.tokens)
      expect(Math.max(...costs('start'))).toBeLessThanOrEqual(400)
      expect(Math.max(...costs('prime'))).toBeLessThan(1500)
      expect(Math.max(...costs('next'))).toBeLessThan(50)
      expect(Math.max(...costs('receive'))).toBeLessThan(60)
      expect(receivedData).toBeLessThan(60)
      const whole = shell.read.reduce((sum, each) => sum + each.tokens, 0)
      console.log(`the orchestrator's side of an epic of 20 tasks: ${whole} tokens`)
      expect(whole).toBeLessThanOrEqual(4000)

      const { used, state } = data<{ used: number; state: string }>(
        run(executable, ['context'], { cwd: root, env: { CLEO_SESSION_ID: shell.session } }),
      )
      expect(Math.abs(used / whole - 1)).toBeLessThan(0.05)
      expect(state).toBe('ok')
    }))

  test('[OUT-4] ready of ten takes under 300 tokens as text and 600 as data, with files and hints', () =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      data(plain(shell, ['init']))
      const rows = Array.from({ length: 12 }, (_, i) => ({
        title: `Store the password as a hash, part ${i}`,
        description: 'The handler has to check the address, hash the password and store both.',
        files: [`src/accounts/hash-${i}.ts`],
      }))
      data(plain(shell, ['add', '--batch'], JSON.stringify(rows)))
      const text = lead(shell, 'ready')
      expect(text.match(/^○ T/gm)).toHaveLength(10)
      expect(shell.read[0]!.tokens).toBeLessThan(300)
      expect(dataTokens(shell, 'ready')).toBeLessThan(600)
      expect(dataTokens(shell, 'show', 'T001')).toBeLessThan(400)
    }))
})

describe('what is counted', () => {
  const planted = (work: (shell: Shell, use: () => PrintedTokens[]) => void) =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      data(plain(shell, ['init']))
      data(plain(shell, ['add', 'Accounts', '--type', 'epic']))
      data(plain(shell, ['add', 'Hashing', '--parent', 'T001', '--description', 'Which?']))
      shell.session = data<{ session: string }>(plain(shell, ['start', 'T001'])).session
      const { session } = shell
      work(shell, () => printedIn(root, session))
    })

  test('[ORCH-4] every command of the session, refused ones too; none of subagents and others', () =>
    planted((shell, use) => {
      const { session, root } = shell
      const calls = () =>
        use()
          .map(({ operation, calls }) => `${operation} ${calls}`)
          .sort()
      lead(shell, 'show', 'T002')
      const [first] = shell.read
      expect(Math.abs(use()[0]!.tokens / first!.tokens - 1)).toBeLessThan(0.1)
      plain(shell, ['show', 'T099', '--session', session!])
      plain(shell, ['list', '--nonsense', '--session', session!])
      expect(calls()).toEqual(['tasks.list 1', 'tasks.show 2'])
      plain(shell, ['spawn', 'T002', '--ref'])
      plain(shell, ['show', 'T002', '--session', session!, '--as', 'T002.1'])
      run(executable, ['show', 'T002'], {
        cwd: root,
        env: { CLEO_SESSION_ID: session!, CLEO_AGENT_ID: 'T002.1' },
      })
      expect(calls()).toEqual(['tasks.list 1', 'tasks.show 2'])
      run(executable, ['show', 'T002'], {
        cwd: root,
        env: { CLEO_SESSION_ID: session!, CLEO_AGENT_ID: 'claude' },
      })
      expect(calls()).toEqual(['tasks.list 1', 'tasks.show 3'])
    }))

  test('[ORCH-4] from 70 % an answer carries a short warning, from 90 % a critical one', () =>
    planted((shell) => {
      const meta = (used: number) => {
        rmSync(join(shell.root, '.cleo/context'), { recursive: true, force: true })
        printedBefore(shell.root, shell.session!, [['tasks.show', used]])
        const { stdout } = plain(shell, ['next', '--session', shell.session!])
        return (JSON.parse(stdout) as { meta: { warnings?: string[] } }).meta
      }
      expect(meta(6900).warnings).toBeUndefined()
      expect(meta(7100).warnings).toEqual(['context warning: 7100 of 10000 tokens'])
      expect(meta(9100).warnings).toEqual(['context critical: 9100 of 10000 tokens'])
      expect(tokens(JSON.stringify(meta(9100)))).toBeLessThanOrEqual(45)
    }))

  test.each([
    ['a name that leads elsewhere', 'ses_../../../../evil'],
    ['a name of no session', 'ses_nobodyknows'],
    ['no id at all', '../evil'],
  ])('[ORCH-4] %s is refused and makes no file', (_, id) =>
    planted((shell) => {
      const { exit } = plain(shell, ['list', '--session', id])
      expect(exit).toBe(31)
      expect(existsSync(join(shell.root, '.cleo/context', `${id}.counts`))).toBe(false)
    }),
  )

  test('[ORCH-4] a count that cannot be written fails no command', () =>
    planted((shell, use) => {
      writeFileSync(join(shell.root, '.cleo/context'), 'a file where the folder should be')
      expect(lead(shell, 'show', 'T002')).toContain('T002 Hashing')
      expect(lead(shell, 'next')).toContain('T002 Hashing')
      expect(lead(shell, 'context')).toContain('0 of 10000 tokens')
      expect(use()).toEqual([])
    }))

  test('[ORCH-4] commands that run at the same time are all counted', () =>
    withTemp(async (root) => {
      const shell: Shell = { root, read: [] }
      data(plain(shell, ['init']))
      data(plain(shell, ['add', 'Accounts', '--type', 'epic']))
      const { session } = data<{ session: string }>(plain(shell, ['start', 'T001']))
      const all = Array.from({ length: 20 }, () =>
        start(executable, ['show', 'T001', '--session', session], { cwd: root }),
      )
      for (const { exit } of await Promise.all(all)) expect(exit).toBe(0)
      expect(printedIn(root, session)).toMatchObject([{ operation: 'tasks.show', calls: 20 }])
    }))

  test('[ORCH-4] a link in place of the file leads to no file of the user', () =>
    planted((shell) => {
      const own = join(shell.root, 'own.txt')
      const text = 'x'.repeat(4096)
      writeFileSync(own, text)
      mkdirSync(join(shell.root, '.cleo/context'), { recursive: true })
      symlinkSync(own, join(shell.root, '.cleo/context', `${shell.session}.counts`))
      expect(lead(shell, 'show', 'T002')).toContain('T002 Hashing')
      expect(readFileSync(own, 'utf8')).toBe(text)
    }))
})
