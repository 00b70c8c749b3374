import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { data, executable, type Ran, run } from '../support/cleo.ts'
import { shellWords } from '../support/shell-words.ts'
import { withTemp } from '../support/temp.ts'

const tokens = await loadTokenizer()

interface Shell {
  root: string
  /** Every answer the orchestrator has read. */
  read: { command: string; tokens: number; dataTokens: number }[]
  session?: string
}

const plain = ({ root }: Shell, args: readonly string[], input?: string): Ran =>
  run(executable, args, { cwd: root, ...(input !== undefined && { input }) })

/** Runs a command as the orchestrator, who reads all of what it prints. */
const lead = <T>(shell: Shell, ...args: string[]): T => {
  const env: Record<string, string> = shell.session ? { CLEO_SESSION_ID: shell.session } : {}
  const ran = run(executable, args, { cwd: shell.root, env })
  const value = ran.stdout.startsWith('{') ? data<T>(ran) : (ran.stdout as T)
  shell.read.push({
    command: args.slice(0, 2).join(' '),
    tokens: tokens(ran.stdout),
    dataTokens: tokens(JSON.stringify(value)),
  })
  return value
}

/** Does to the letter what its prompt says, and answers the line it returns. */
const playSubagent = (shell: Shell, prompt: string): string => {
  const commands = [...prompt.matchAll(/^ {4}(cleo .*?)(?: {2}#.*)?$/gm)].map(([, line]) => line!)
  expect(commands.length).toBeGreaterThanOrEqual(5)
  const known = { file: '', entry: '' }
  for (const line of commands) {
    const words = line
      .replace('commit:<sha>;', '')
      .replace('<changed files>', 'src/form.ts')
      .replace('<paths>', 'src/form.ts')
      .replace('<output file>', known.file)
      .replace('<entry-id>', known.entry)
      .replace('--finding "<one sentence>"', '--finding "One." --finding "Two." --finding "Three."')
    const done = data<{ path?: string; id?: string }>(plain(shell, shellWords(words).slice(1)))
    if (line.startsWith('cleo output new')) {
      known.file = done.path!
      fillIn(known.file)
    }
    if (line.startsWith('cleo manifest append')) known.entry = done.id!
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
  test('[OUT-4] [ORCH-4] [ORCH-5] an epic of 20 tasks costs its orchestrator at most 8,000 tokens', () =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      plantEpic(shell)
      shell.session = lead<{ session: string }>(shell, 'orchestrate', 'start', '--epic', 'T001').session
      lead<string>(shell, 'orchestrate', 'prime')
      lead(shell, 'orchestrate', 'ready')
      let received = 0
      for (;;) {
        const { task } = lead<{ task: { id: string } | null }>(shell, 'orchestrate', 'next')
        if (!task) break
        const { promptFile } = lead<{ promptFile: string }>(shell, 'orchestrate', 'spawn', task.id, '--ref')
        const line = playSubagent(shell, readFileSync(promptFile, 'utf8'))
        const answer = lead(shell, 'orchestrate', 'receive', task.id, '--message', line, '--follow-ups')
        expect(answer).toMatchObject({ taskId: task.id, outcome: 'complete' })
        received++
      }
      lead(shell, 'orchestrate', 'status')
      expect(received).toBe(20)
      expect(data(plain(shell, ['show', 'T001']))).toMatchObject({ status: 'done' })

      const most = (command: string, count: 'tokens' | 'dataTokens' = 'tokens') =>
        Math.max(...shell.read.filter((each) => each.command === command).map((each) => each[count]))
      expect(most('orchestrate start')).toBeLessThanOrEqual(800)
      expect(most('orchestrate prime')).toBeLessThan(1500)
      expect(most('orchestrate next')).toBeLessThanOrEqual(140)
      expect(most('orchestrate next', 'dataTokens')).toBeLessThan(120)
      expect(most('orchestrate receive')).toBeLessThanOrEqual(100)
      expect(most('orchestrate receive', 'dataTokens')).toBeLessThan(60)
      const whole = shell.read.reduce((sum, each) => sum + each.tokens, 0)
      expect(whole).toBeLessThanOrEqual(8000)

      const { used, state } = lead<{ used: number; state: string }>(shell, 'orchestrate', 'context')
      expect(Math.abs(used / whole - 1)).toBeLessThan(0.05)
      expect(state).toBe(used >= 7000 ? 'warning' : 'ok')
    }))

  test('[OUT-4] ready of ten takes at most 650 tokens, with files and hints', () =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      data(plain(shell, ['init']))
      const rows = Array.from({ length: 12 }, (_, i) => ({
        title: `Store the password as a hash, part ${i}`,
        description: 'The handler has to check the address, hash the password and store both.',
        files: [`src/accounts/hash-${i}.ts`],
      }))
      data(plain(shell, ['add', '--batch'], JSON.stringify(rows)))
      shell.session = data<{ id: string }>(plain(shell, ['session', 'start'])).id
      expect(lead<{ tasks: unknown[] }>(shell, 'orchestrate', 'ready').tasks).toHaveLength(10)
      expect(shell.read[0]!.tokens).toBeLessThanOrEqual(650)
      expect(shell.read[0]!.dataTokens).toBeLessThan(600)
    }))
})

describe('what is counted', () => {
  const planted = (work: (shell: Shell, use: () => string[]) => void) =>
    withTemp((root) => {
      const shell: Shell = { root, read: [] }
      data(plain(shell, ['init']))
      data(plain(shell, ['add', 'Accounts', '--type', 'epic']))
      data(plain(shell, ['add', 'Hashing', '--parent', 'T001', '--description', 'Which?']))
      shell.session = data<{ session: string }>(
        plain(shell, ['orchestrate', 'start', '--epic', 'T001']),
      ).session
      const path = join(root, '.cleo/context', shell.session)
      const use = () => {
        try {
          return readFileSync(path, 'utf8').trim().split('\n')
        } catch {
          return []
        }
      }
      work(shell, use)
    })

  test('[ORCH-4] every command of the session, refused ones too; none of subagents and others', () =>
    planted((shell, use) => {
      const { session, root } = shell
      const ops = () => use().map((line) => line.split(' ')[0])
      lead(shell, 'show', 'T002')
      plain(shell, ['show', 'T099', '--session', session!])
      plain(shell, ['list', '--nonsense', '--session', session!])
      expect(ops()).toEqual(['tasks.show', 'tasks.show', 'tasks.list'])
      const [first] = shell.read
      expect(Math.abs(Number(use()[0]!.split(' ')[1]) / first!.tokens - 1)).toBeLessThan(0.1)
      plain(shell, ['orchestrate', 'spawn', 'T002', '--ref'])
      plain(shell, ['show', 'T002', '--session', session!, '--as', 'T002.1'])
      run(executable, ['show', 'T002'], {
        cwd: root,
        env: { CLEO_SESSION_ID: session!, CLEO_AGENT_ID: 'T002.1' },
      })
      expect(ops()).toHaveLength(3)
      run(executable, ['show', 'T002'], {
        cwd: root,
        env: { CLEO_SESSION_ID: session!, CLEO_AGENT_ID: 'claude' },
      })
      expect(ops()).toHaveLength(4)
    }))

  test('[ORCH-4] from 70 % an answer carries a short warning, from 90 % a critical one', () =>
    planted((shell) => {
      const path = join(shell.root, '.cleo/context', shell.session!)
      mkdirSync(dirname(path), { recursive: true })
      const meta = (used: number) => {
        writeFileSync(path, `tasks.show ${used}\n`)
        const { stdout } = plain(shell, ['orchestrate', 'next', '--session', shell.session!])
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
      expect(() => readFileSync(join(shell.root, '.cleo/context', id))).toThrow()
    }),
  )

  test('[ORCH-4] a count that cannot be written fails no command', () =>
    planted((shell, use) => {
      writeFileSync(join(shell.root, '.cleo/context'), 'a file where the folder should be')
      expect(lead(shell, 'show', 'T002')).toMatchObject({ id: 'T002' })
      expect(lead(shell, 'orchestrate', 'next')).toMatchObject({ task: { id: 'T002' } })
      expect(lead(shell, 'orchestrate', 'context')).toMatchObject({ used: 0 })
      expect(use()).toEqual([])
    }))
})
