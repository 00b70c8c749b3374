import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allCommands } from '../../src/operation/commands.ts'
import { loadTokenizer } from '../../src/prompt/budget/measure.ts'
import { data, executable, type Ran, run } from '../support/cleo.ts'
import { shellWords } from '../support/shell-words.ts'
import { withTemp } from '../support/temp.ts'

const tokens = await loadTokenizer()

/**
 * A valid call of every command of tier 0 and 1 in the project below. Changes are dry runs, so the order does not
 * matter.
 */
const calls: Record<string, string> = {
  add: 'add "Mail" --parent T001 --description "Send it."',
  'add --edit': 'add --edit "Mail"',
  'add --from': 'add --from plan.md',
  'admin help': 'admin help',
  'agent list': 'agent list',
  'agent show': 'agent show cleo-subagent',
  'agent validate': 'agent validate',
  analyze: 'analyze T001',
  board: 'board',
  block: 'block T005 --reason "waiting for access"',
  cancel: 'cancel T005 --reason "covered by T004"',
  complete: 'complete T005',
  'clients check': 'clients check claude',
  'clients list': 'clients list',
  'consensus list': 'consensus list',
  'consensus open': 'consensus open T005 --question "Which hash?" --option argon2id --option bcrypt',
  'consensus tally': 'consensus tally C1',
  'consensus vote': 'consensus vote C1 --option argon2id --confidence 0.8 --rationale "It is newer."',
  context: 'context',
  deps: 'deps T004',
  dispatch: 'dispatch T005',
  edit: 'edit T005',
  exists: 'exists T002',
  'export --markdown': 'export --markdown',
  find: 'find hash',
  finish: 'finish T003 --finding "One." --criterion 1=files:src/form.ts --as T003.1',
  'focus clear': 'focus clear T003 --as T003.1',
  'focus note': 'focus note "Half way." --as T003.1',
  'focus set': 'focus set T005',
  'focus show': 'focus show --as T003.1',
  inbox: 'inbox',
  'inbox answer': 'inbox answer T006 --text "The login is in the vault."',
  land: 'land T001',
  'lifecycle advance': 'lifecycle advance T001',
  'lifecycle show': 'lifecycle show T001',
  'lifecycle start': 'lifecycle start T001',
  'lifecycle skip': 'lifecycle skip T007 --reason "decided before"',
  list: 'list',
  'manifest append': 'manifest append --status partial --finding "One." --followup "Two." --as T003.1',
  'manifest find': 'manifest find argon2id',
  'manifest list': 'manifest list',
  'manifest quarantine': 'manifest quarantine',
  'manifest show': 'manifest show T002-compare-hashes',
  'manifest stats': 'manifest stats',
  'manifest sync': 'manifest sync',
  'manifest validate': 'manifest validate',
  'memory find': 'memory find bcrypt',
  'memory observe': 'memory observe "scrypt is older" --task T002',
  'memory show': 'memory show M1',
  mv: 'mv T005 T004',
  next: 'next',
  note: 'note T005 "Half way."',
  'output check': 'output check T002',
  'output new': 'output new T005',
  prime: 'prime T001',
  ready: 'ready',
  receive: 'receive T002 --message "Research complete. See MANIFEST.jsonl for summary."',
  reopen: 'reopen T002 --reason "one more option"',
  'research link': 'research link T004 T002-compare-hashes',
  'research links': 'research links T002',
  'research unlink': 'research unlink T002 T002-compare-hashes',
  respawn: 'respawn T003 --ref',
  'session end': 'session end',
  'session list': 'session list',
  'session resume': 'session resume',
  'session start': 'session start T001',
  'session status': 'session status',
  show: 'show T004',
  'skills find': 'skills find research',
  'skills index': 'skills index',
  'skills list': 'skills list',
  'skills show': 'skills show ct-release',
  run: 'run T001 --agent command --command true',
  'run list': 'run list',
  'run logs': 'run logs T003',
  'run resume': 'run resume',
  'run show': 'run show',
  'run status': 'run status',
  'run stop': 'run stop',
  'skills validate': 'skills validate',
  spawn: 'spawn T005 --ref',
  'spawn diff': 'spawn diff T003',
  'spawn list': 'spawn list',
  'spawn show': 'spawn show T003',
  start: 'start T001',
  status: 'status',
  tree: 'tree T001',
  unblock: 'unblock T006',
  undo: 'undo',
  update: 'update T005 --priority high',
  validate: 'validate T002',
  verify: 'verify T003',
  'verify --criterion': 'verify T003 --criterion 1 --evidence "files:src/form.ts" --as T003.1',
  'verify --gate': 'verify T003 --gate documented --evidence "files:src/form.ts" --as T003.1',
  'verify --waive': 'verify T003 --waive --criterion 1 --reason "not this year"',
  warm: 'warm T001',
  'worktree list': 'worktree list',
  'worktree prune': 'worktree prune',
  'worktree remove': 'worktree remove T003.1',
}

const plant = (root: string): string => {
  const cleo = (line: string, input?: string): Ran =>
    run(executable, shellWords(line), { cwd: root, ...(input !== undefined && { input }) })
  const must = <T>(line: string): T => data<T>(cleo(line))
  must('init')
  must('add "Customer accounts" --type epic --description "People sign up."')
  must('add "Compare hashes" --parent T001 --description "Which hash, and why?" --labels research')
  must(
    'add "Sign-up form" --parent T001 --files src/form.ts --description "Build it." --acceptance "rejects a bad e-mail"',
  )
  must('add "Mailer" --parent T001 --depends T002 --description "Send a hash by mail." --labels mail')
  must('add "Invoices" --parent T001 --description "Print them." --files src/invoice.ts')
  must('add "Vault" --parent T001 --description "Move the logins."')
  must('add "Later" --type epic')
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src/form.ts'), 'export {}\n')
  writeFileSync(join(root, 'plan.md'), '# Shop\n\n- Cart\n  Keep it.\n- Till (after: cart)\n  - [ ] counts\n')
  must('spawn T002 --ref')
  must('focus set T002 --as T002.1')
  const { path } = must<{ path: string }>('output new T002 --as T002.1')
  writeFileSync(
    path,
    `${readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nFound.\n')}\n- https://example.org\n`,
  )
  must(
    'manifest append --status complete --finding "argon2id is it." --finding "b." --finding "c." --as T002.1',
  )
  must('complete T002 --as T002.1')
  must('research link T002 T002-compare-hashes')
  must('spawn T003 --ref')
  must('focus set T003 --as T003.1')
  must('block T006 --reason "no login"')
  must('consensus open T005 --question "Which?" --option argon2id --option bcrypt')
  must('memory observe "bcrypt cuts passwords at 72 bytes" --task T002')
  return must<{ session: string }>('start T001').session
}

test('[OUT-4] tokens of text against JSON, for every command of tier 0 and 1', () =>
  withTemp((root) => {
    const session = plant(root)
    const commands = allCommands().filter(({ tier }) => tier < 2)
    expect(Object.keys(calls).sort()).toEqual(commands.map(({ words }) => words).sort())
    const rows = commands.map(({ words, kind }) => {
      const args = [...shellWords(calls[words]!), ...(kind === 'mutate' ? ['--dry-run'] : [])]
      const [text, json] = ['human', 'json'].map((format) =>
        run(executable, args, {
          cwd: root,
          env: { CLEO_FORMAT: format, CLEO_SESSION_ID: session, EDITOR: 'true' },
        }),
      ) as [Ran, Ran]
      expect(text.exit, `${words}: ${text.stderr}`).toBe(json.exit)
      // A refusal is fine here. Exit 1 or 2 means that the call in the table is wrong.
      expect([1, 2], `${words}: ${text.stderr}`).not.toContain(text.exit)
      return { words, exit: text.exit, text: tokens(text.stdout + text.stderr), json: tokens(json.stdout) }
    })
    const sum = (of: 'text' | 'json') => rows.reduce((total, row) => total + row[of], 0)
    const line = (name: string, text: number, json: number, exit = 0) =>
      `${name.padEnd(20)} ${String(text).padStart(6)} ${String(json).padStart(6)}  ${Math.round((100 * text) / json)} %${exit ? `  (exit ${exit})` : ''}`
    console.log(
      [
        'command                text   JSON',
        ...rows.map(({ words, text, json, exit }) => line(words, text, json, exit)),
        line('all', sum('text'), sum('json')),
      ].join('\n'),
    )
    expect(sum('text')).toBeLessThan(0.75 * sum('json'))
  }))
