import { describe, expect, test } from 'vitest'
import { builtOrSource, run } from '../support/cleo.ts'
import { withProject } from '../support/project.ts'
import { everyFile, read } from './files.ts'
import { complaint, mentions, rows, runnable } from './mentions.ts'

const named = [...new Set(everyFile.flatMap((path) => mentions(read(path))))].sort()

describe('the commands that protocols, skills and agent files name', () => {
  test.each(everyFile)('[SKILL-9] %s names commands that exist, with flags they have', (path) => {
    const wrong = mentions(read(path)).flatMap((line) => {
      const why = complaint(line)
      return why ? [`${line}: ${why}`] : []
    })
    expect(wrong).toEqual([])
  })

  test.each(named)('[SKILL-9] %s runs', (line) =>
    withProject(async (project) => {
      await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
      await project.must('tasks.add', { title: 'Hashing', parent: 'T001', description: 'Which one?' })
      await project.must('orchestrate.spawn', { id: 'T002' })
      await project.must('consensus.open', { id: 'T002', question: 'Which one?', option: ['a', 'b'] })
      const { exit, stdout } = run(builtOrSource, runnable(line), { cwd: project.root, input: rows })
      expect([1, 2, 4], stdout).not.toContain(exit)
    }),
  )

  test('there are many of them', () => {
    expect(named.length).toBeGreaterThan(15)
  })
})

describe('reading commands', () => {
  test('spans, blocks and tokens are found, also over a line break', () => {
    const text =
      'Run `cleo\nshow T002` or `{{TASK_FOCUS_CMD}} {{TASK_ID}}`.\n\n```sh\ncleo list --all\nls\n```\n`cleo-subagent`'
    expect(mentions(text)).toEqual(['cleo list --all', 'cleo show T002', 'cleo focus set T002'])
  })

  test.each([
    ['cleo frobnicate T001', 'there is no such command'],
    ['cleo orchestrate frobnicate', 'there is no such command'],
    ['cleo list --open', 'Unknown flag --open.'],
    ['cleo verifying', 'there is no such command'],
  ])('%s is noticed', (line, why) => {
    expect(complaint(line)).toContain(why)
  })

  test('a name in a sentence is run with what it needs', () => {
    expect(runnable('cleo complete')).toEqual(['complete', 'T002'])
    expect(runnable('cleo analyze')).toEqual(['analyze', 'T001'])
  })
})
