import { expect, test } from 'vitest'
import { permissionFor } from '../../src/completion/permission.ts'
import type { Context } from '../../src/operation/context.ts'
import { writer } from '../../src/operation/write.ts'
import { startGit } from '../../src/standing/start-git.ts'
import { opened } from '../skills/skill-files.ts'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, commit, handIn, put, repository, type Sent, send } from '../support/subagent.ts'

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
