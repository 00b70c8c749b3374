import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissionFor } from '../../src/completion/permission.ts'
import { commitsToKeep } from '../../src/evidence/kept-commits.ts'
import { historyOf } from '../../src/evidence/spawn-history.ts'
import type { Context } from '../../src/operation/context.ts'
import { writer } from '../../src/operation/write.ts'
import { startGit } from '../../src/standing/start-git.ts'
import { opened } from '../skills/skill-files.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, git, handIn, put, repository, type Sent, send } from '../support/subagent.ts'

/**
 * Returns the context that an operation receives, and the names of the git commands that it starts. Leaves out
 * `git config`, which is started only if CLEO does not know the files with git's settings.
 */
const counting = async ({ root, store }: TestProject): Promise<{ context: Context; started: string[] }> => {
  const started: string[] = []
  const project = opened(root)
  const { run } = project.host.processes
  const context: Context = {
    ...project,
    host: {
      ...project.host,
      processes: {
        run: (program, args, options) => {
          const name = args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c') ?? ''
          if (name !== 'config') started.push(name)
          return run(program, args, options)
        },
      },
    },
    store: await store(),
    write: (work) => writer(context, 'test')(work),
  }
  return { context, started }
}

const withResearch = (work: (sent: Sent, project: TestProject) => Promise<void>) =>
  withProject(async (project) => {
    repository(project.root)
    await addTask(project, { title: 'Compare hashing', labels: ['research'] })
    await work(await send(project, 'T002'), project)
  })

test('[GATE-1] the check uses the git processes that were started early, and starts no others', () =>
  withResearch(async (sent, project) => {
    await handIn(sent)
    commit(project.root, 'Notes\n\nTask: T001', { 'notes.txt': 'x' })
    const { context, started } = await counting(project)
    const early = await startGit(context, 'T002', 'T002.1')
    expect(started.toSorted()).toEqual(['diff-index', 'log', 'ls-files'])
    expect(await permissionFor(context, 'T002', { started: early! })).toMatchObject({ may: true })
    expect(started).toHaveLength(3)
  }))

test('[GATE-1] the check compares again if evidence was added after git was started', () =>
  withResearch(async (sent, project) => {
    await handIn(sent)
    const { context, started } = await counting(project)
    const early = await startGit(context, 'T002', 'T002.1')
    await sent.as.must('verify.gate', { id: 'T002', gate: 'cleanupDone', evidence: 'note:x' })
    put(project.root, { 'src/new.ts': 'x' })
    const permission = await permissionFor(context, 'T002', { started: early! })
    expect(permission).toMatchObject({ warnings: [expect.stringContaining('src/new.ts')] })
    expect(started.toSorted()).toEqual(['diff-index', 'diff-index', 'ls-files', 'ls-files'])
  }))

test('[GATE-1] git is not started early if the check will not ask it', () =>
  withResearch(async (sent, project) => {
    const { context, started } = await counting(project)
    expect(await startGit(context, 'T002', 'T002.1'), 'no entry').toBeUndefined()
    await handIn(sent)
    await sent.as.must('tasks.complete', { id: 'T002' })
    expect(await startGit(context, 'T002', 'T002.1'), 'done').toBeUndefined()
    expect(await startGit(context, 'T002', 'T002.2'), 'no such spawn').toBeUndefined()
    expect(started).toEqual([])
  }))

/** Calls `work` with a spawn of code in a worktree of its own, whose agent has submitted its entry. */
const withCode = (
  work: (sent: Sent, project: TestProject, folder: string, began: string) => Promise<void>,
): Promise<void> =>
  withProject(async (project) => {
    repository(project.root)
    const began = git(project.root, 'rev-parse', 'HEAD')
    await addTask(project)
    const folder = join(project.root, '.home', 'tree')
    git(project.root, 'worktree', 'add', '-q', '-b', 'own', folder)
    const sent = await send(project, 'T002', { worktree: folder })
    await handIn(sent)
    await work(sent, project, folder, began)
  })

const verifyWork = ({ as }: Sent, folder: string, file = 'src/new.ts') =>
  as.must('verify.gate', {
    id: 'T002',
    gate: 'implemented',
    evidence: `commit:${git(folder, 'rev-parse', 'HEAD')};files:${file}`,
  })

/** Starts git as the spawn itself does; returns the names of the git commands and the history of the spawn. */
const startedBy = async (project: TestProject, agent: string | undefined) => {
  const { context, started } = await counting(project)
  const caller = agent === undefined ? context : { ...context, actor: { id: agent, agent: true } }
  const early = await startGit(caller, 'T002', 'T002.1')
  return { started: started.toSorted(), history: await historyOf(caller, early!.where, 'T002') }
}

const without = ['diff-index', 'ls-files']
const withLog = ['diff-index', 'log', 'ls-files']

const histories: Record<string, (folder: string, began: string) => void> = {
  'one commit': () => undefined,
  'a commit without a task': (folder) => commit(folder, 'More', { 'src/b.ts': 'b' }),
  'a commit of another task': (folder) => commit(folder, 'More\n\nTask: T001', { 'src/b.ts': 'b' }),
  'an empty commit': (folder) => commit(folder, 'Empty'),
  'a removed file and an executable one': (folder) => {
    git(folder, 'rm', '-q', 'src/a.ts')
    git(folder, 'update-index', '--chmod=+x', 'src/new.ts')
    git(folder, 'commit', '-q', '-m', 'Remove\n\nTask: T002')
    git(folder, 'reset', '-q', '--hard')
  },
  'names with line breaks, quotes and letters of other languages': (folder) =>
    commit(folder, 'Näme\n\n"x"', { 'src/ü "x"\n.ts': 'x', '\n': 'y' }),
  'a merge that changes a file': (folder, began) => {
    git(folder, 'checkout', '-q', '-b', 'side', began)
    commit(folder, 'Side', { 'src/new.ts': 'side', 'src/side.ts': 'x' })
    git(folder, 'checkout', '-q', 'own')
    git(folder, 'merge', '-q', '-s', 'ours', '--no-commit', 'side')
    commit(folder, 'Merge\n\nTask: T002', { 'src/new.ts': 'merged' })
  },
  'packed commits': (folder) => git(folder, 'gc', '-q'),
}

test.each(Object.entries(histories))(
  '[GATE-1] the spawn uses the commits that it verified, and they equal those of git: %s',
  (_, make) =>
    withCode(async (sent, project, folder, began) => {
      commit(folder, 'Work\n\nTask: T002', { 'src/new.ts': 'x' })
      make(folder, began)
      await verifyWork(sent, folder)
      const own = await startedBy(project, sent.id)
      const others = await startedBy(project, undefined)
      expect(own.started).toEqual(without)
      expect(others.started, 'a person asks git again').toEqual(withLog)
      expect(own.history).toEqual(others.history)
      expect(own.history!.commits.length).toBeGreaterThan(0)
      expect((await startedBy(project, 'T001.1')).started, 'another agent').toEqual(withLog)
    }),
)

const changes: Record<string, (folder: string, root: string) => void> = {
  'another commit': (folder) => commit(folder, 'More\n\nTask: T002', { 'src/b.ts': 'b' }),
  'an amended message': (folder) => git(folder, 'commit', '-q', '--amend', '-m', 'Other\n\nTask: T002'),
  'a list of shallow commits': (_, root) => writeFileSync(`${root}/.git/shallow`, ''),
}

test.each(Object.entries(changes))('[GATE-1] the spawn asks git again after %s', (_, change) =>
  withCode(async (sent, project, folder) => {
    commit(folder, 'Work\n\nTask: T002', { 'src/new.ts': 'x' })
    await verifyWork(sent, folder)
    change(folder, project.root)
    expect((await startedBy(project, sent.id)).started).toEqual(withLog)
  }),
)

test('[GATE-1] commits with much text are not stored with the evidence', () =>
  withCode(async (sent, project, folder) => {
    commit(folder, `Work\n\n${'x'.repeat(5000)}\n\nTask: T002`, { 'src/new.ts': 'x' })
    await verifyWork(sent, folder)
    expect((await startedBy(project, sent.id)).started).toEqual(withLog)
  }))

test('[GATE-1] commits are not stored if HEAD moved before git read them', () =>
  withCode(async (sent, project, folder) => {
    const first = commit(folder, 'Work\n\nTask: T002', { 'src/new.ts': 'x' })
    const { context } = await counting(project)
    const { where } = (await startGit(context, 'T002', sent.id))!
    commit(folder, 'More\n\nTask: T002', { 'src/b.ts': 'b' })
    const history = await historyOf(opened(project.root), where, 'T002')
    expect(where.head).toBe(first)
    expect(history!.commits).toHaveLength(2)
    expect(commitsToKeep(context, where, history)).toBeUndefined()
    const now = { ...where, head: history!.commits[0]!.sha }
    expect(commitsToKeep(context, now, history)?.commits).toHaveLength(2)
  }))
