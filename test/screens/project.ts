import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shellWords } from '../support/shell-words.ts'
import { shown, start } from './shown.ts'

/** Creates a folder with a project for each kind of screens. `remove` deletes the folders. */
export const plantProjects = async () => {
  const folders = Array.from({ length: 4 }, () =>
    mkdtempSync(join(realpathSync(tmpdir()), 'cleo-test-')),
  ) as [string, string, string, string]
  const [shop, refusing, worktrees, empty] = folders
  await plantShop(shop)
  await plantShop(refusing)
  await plantWorktrees(worktrees)
  await shown(empty, ['init'], { must: true })
  // A refused command counts as activity of its spawn, but other screens have to show that spawn as quiet. So the
  // screens of refusals have their own project.
  const own: Record<string, string> = { refusals: refusing, worktrees, empty }
  return {
    of: (name: string): string => own[name] ?? shop,
    remove: () => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const fillOutput = (folder: string): void => {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.md'))) {
    const path = join(folder, name)
    const text = readFileSync(path, 'utf8').replace('## Summary\n', '## Summary\n\nFound.\n')
    writeFileSync(path, `${text}\n- https://example.org\n`)
  }
}

/** A git project with the worktrees of two agents, one of which has committed something. */
const plantWorktrees = async (root: string): Promise<void> => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' })
  const cleo = (line: string) => shown(root, shellWords(line), { now: start - 3600_000, must: true })
  writeFileSync(join(root, 'notes.txt'), 'Tea\n')
  git(root, 'init', '--quiet', '--initial-branch=main', '.')
  git(root, 'add', '.')
  git(root, 'commit', '--quiet', '--message=Begin')
  for (const line of [
    'init',
    'add "Price list" --type epic',
    'add "Write the prices" --parent T001 --description "prices.txt" --files prices.txt',
    'add "Write the opening hours" --parent T001 --description "hours.txt" --files hours.txt',
    'session start "Prices" --epic T001',
    'spawn T002 --ref',
    'spawn T003 --ref',
    'focus set T002 --as T002.1',
  ])
    await cleo(line)
  const folder = /^worktree (.*T002\.1)$/m.exec(git(root, 'worktree', 'list', '--porcelain'))![1]!
  writeFileSync(join(folder, 'prices.txt'), 'Tea 2.50\n')
  git(folder, 'add', '.')
  git(folder, 'commit', '--quiet', '--message=Write the prices')
}

const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']

/** A compact project in which every view has something to show. */
const plantShop = async (root: string): Promise<void> => {
  let now = start - 3 * 24 * 3600_000
  const cleo = async (line: string): Promise<string> => {
    now += 7 * 60_000
    return shown(root, shellWords(line), { now, must: true })
  }
  writeFileSync(join(root, 'package.json'), '{"scripts":{"test":"true"}}')
  for (const line of [
    'init',
    'add "Customer accounts" --type epic --description "People sign up, sign in and leave."',
    'add "Compare password hashing" --parent T001 --labels research --description "Which hash, and why?" --priority high',
    'add "Sign-up form that asks for an address and a password, twice" --parent T001 --priority critical --files src/form.ts --description "Build it." --acceptance "rejects a bad address"',
    'add "Validate the address" --parent T003 --size small --description "By its form." --files src/address.ts',
    'add "登録フォーム 👩‍💻 ✅ in other languages" --parent T001 --description "Wide characters." --files src/ja.ts',
    'add "Password reset" --parent T001 --depends T003,T004 --description "By mail." --labels mail',
    'add "Vault" --parent T001 --description "Move the logins."',
    'add "Invoices" --type epic --depends T001',
    'add "Print them" --parent T008 --description "As PDF."',
    'add "Delete accounts that nobody used for two years, with everything they own" --parent T001 --priority low --size large --description "Ask first."',
    'spawn T002 --ref --here',
    'focus set T002 --as T002.1',
    'output new T002 --as T002.1',
    'manifest append --status complete --finding "argon2id resists GPUs best." --finding "bcrypt cuts passwords at 72 bytes." --finding "scrypt is older." --as T002.1',
    'complete T002 --as T002.1',
    'block T007 --reason "no login to the vault: the person who has it is away until Monday, and nobody else can grant it"',
    'note T003 "The design is in the wiki."',
    'spawn T005 --ref --here',
    'focus set T005 --as T005.1',
    'memory observe "bcrypt cuts passwords at 72 bytes" --task T002',
    'consensus open T010 --question "Delete or anonymise?" --option delete --option anonymise',
    'focus set T004',
  ]) {
    await cleo(line)
    if (line.startsWith('output new')) fillOutput(join(root, 'claudedocs/agent-outputs'))
  }
}
