import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TestProject } from './project.ts'

const author = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
  GIT_CONFIG_NOSYSTEM: '1',
}

/** Runs git in a folder, as an agent would. */
export const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', args, {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...author },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

export const put = (folder: string, files: Record<string, string>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Writes the files and commits all changes. */
export const commit = (folder: string, message: string, files: Record<string, string> = {}): string => {
  put(folder, files)
  git(folder, 'add', '-A')
  git(folder, 'commit', '-q', '--allow-empty', '-m', message)
  return headOf(folder)
}

/**
 * Reads the commit of HEAD from the files of git. With `git rev-parse`, every commit of a test would need three
 * processes instead of two.
 */
const headOf = (folder: string): string => {
  const link = join(folder, '.git')
  if (!existsSync(link)) return git(folder, 'rev-parse', 'HEAD')
  const pathIn = (file: string, start = '') =>
    resolve(dirname(file), readFileSync(file, 'utf8').slice(start.length).trim())
  const own = statSync(link).isDirectory() ? link : pathIn(link, 'gitdir: ')
  const head = readFileSync(join(own, 'HEAD'), 'utf8').trim()
  if (!head.startsWith('ref: ')) return head
  const common = join(own, 'commondir')
  const refs = existsSync(common) ? pathIn(common) : own
  return readFileSync(join(refs, head.slice('ref: '.length)), 'utf8').trim()
}

/** Makes the folder of a project a repository whose tests pass. */
export const repository = (folder: string): void => {
  git(folder, 'init', '-q', '-b', 'main')
  commit(folder, 'Begin', {
    Makefile: '.PHONY: test lint\ntest:\n\t@echo "1 passed"\nlint:\n\t@echo "ok"\n',
    'src/a.ts': 'export const a = 1\n',
    '.gitignore': '.home/\n',
  })
}

export interface Sent {
  id: string
  task: string
  /** The project as the subagent sees it. */
  as: TestProject
}

/** Adds a task below the epic T001. Adds the epic first if it does not exist. */
export const addTask = async (project: TestProject, task: object = {}): Promise<string> => {
  if (!(await project.call('tasks.show', { id: 'T001' })).ok)
    await project.must('tasks.add', {
      title: 'Customer accounts',
      type: 'epic',
      description: 'People can sign up.',
    })
  const added = await project.must('tasks.add', {
    title: 'Sign-up form',
    description: 'Build the form and its handler.',
    parent: 'T001',
    ...task,
  })
  return (added as { id: string }).id
}

/** Spawns a task whose agent works in the checkout, or in the worktree that the options name. */
export const send = async (project: TestProject, task: string, options: object = {}): Promise<Sent> => {
  const here = !('worktree' in options)
  const spawned = await project.must('orchestrate.spawn', { id: task, ref: true, here, ...options })
  const { spawnId: id } = spawned as { spawnId: string }
  return { id, task, as: project.as(id) }
}

/** An output file that has everything that the rules of research and specification ask for. */
const wholeText = `# Sign-up form

Version: 1.0
Status: proposed

## Summary

It is done.

## Scope

The form.

## Requirements

The form MUST check addresses.

## Conformance

A form that keeps every MUST conforms.

## Related Specifications

None.

## References

- .cleo/config.json:1
`

/** Sets focus, writes the output file and appends the entry. */
export const handIn = async (
  { task, as }: Sent,
  { text = wholeText, entry = {} }: { text?: string; entry?: object } = {},
): Promise<string> => {
  await as.must('focus.set', { id: task })
  return append({ task, as } as Sent, { text, entry })
}

export const append = async (
  { task, as }: Sent,
  { text = wholeText, entry = {} }: { text?: string; entry?: object } = {},
): Promise<string> => {
  const { path } = await as.must('output.new', { id: task })
  writeFileSync(path, text.startsWith('# ') ? text : `# Sign-up form\n\n## Summary\n\nIt is done.\n\n${text}`)
  const finding = ['The form checks addresses.', 'It stores a hash.', 'It has one handler.']
  const noTests = 'The test plays an agent that writes none.'
  const { id } = await as.must('pipeline.manifest.append', { status: 'complete', finding, noTests, ...entry })
  return id
}

export const lineOf = (word: string, status = 'complete'): string =>
  `${word} ${status}. See MANIFEST.jsonl for ${{ complete: 'summary', partial: 'details' }[status] ?? 'blocker details'}.`

type Ruling = [result: string, fact: string]

/** Returns every rule of a task with its result and fact, whether the task is valid or not. */
export const rulings = async (project: TestProject, id: string): Promise<Record<string, Ruling>> => {
  const answer = await project.call('orchestrate.validate', { id, all: true })
  if (!answer.ok && !answer.rules) throw new Error(`${answer.code}: ${answer.message}`)
  const rules = answer.ok ? answer.value.rules : answer.rules
  return Object.fromEntries(rules!.map(({ id, result, fact }) => [id, [result, fact]]))
}
