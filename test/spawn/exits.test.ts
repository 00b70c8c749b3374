import { mkdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { data, executable, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

/** Makes an epic with three tasks. T002 can be spawned, T003 depends on T002, and another agent works on T004. */
const withTasks = (work: (cleo: (...args: string[]) => ReturnType<typeof run>, root: string) => void) =>
  withTemp((root) => {
    const cleo = (...args: string[]) => run(executable, args, { cwd: root })
    data(cleo('init'))
    data(cleo('add', 'Accounts', '--type', 'epic', '--description', 'People sign up.'))
    data(cleo('add', 'Form', '--parent', 'T001', '--description', 'Build it.'))
    data(cleo('add', 'Mail', '--parent', 'T001', '--description', 'Send it.', '--depends', 'T002'))
    data(cleo('add', 'Page', '--parent', 'T001', '--description', 'Show it.'))
    data(cleo('orchestrate', 'spawn', 'T004', '--ref'))
    data(cleo('focus', 'set', 'T004', '--as', 'T004.1'))
    work(cleo, root)
  })

test('[SPAWN-7] the program exits with 0, 4, 5, 6, 10, 35 and 63, one for each kind of refusal', () =>
  withTasks((cleo, root) => {
    const spawn = (...args: string[]) => {
      const { exit, stdout } = cleo('orchestrate', 'spawn', ...args, '--json')
      const { error } = JSON.parse(stdout) as { error?: { code: string; exit: number } }
      expect(error?.exit ?? 0).toBe(exit)
      return [exit, error?.code ?? 'ok']
    }
    expect(spawn('T002', '--ref')).toEqual([0, 'ok'])
    expect(spawn('T099')).toEqual([4, 'task.not_found'])
    expect(spawn('T003')).toEqual([5, 'dependency.open'])
    expect(spawn('T002', '--skills', 'no-such-skill')).toEqual([6, 'skill.missing'])
    expect(spawn('T004')).toEqual([35, 'spawn.out'])
    expect(spawn('T002', '--worktree', 'nowhere')).toEqual([63, 'spawn.folder'])
    mkdirSync(`${root}/skills/own`, { recursive: true })
    writeFileSync(
      `${root}/skills/own/SKILL.md`,
      '---\nname: own\ndescription: What own is for.\nmetadata:\n  cleo-template: "true"\n---\n\nUse {{UNKNOWN}}.\n',
    )
    data(cleo('trust', '--yes'))
    expect(spawn('T002', '--skills', 'own')).toEqual([63, 'tokens.unresolved'])
    expect(spawn('T002', '--skills', 'own', '--allow-unresolved', '--ref')).toEqual([0, 'ok'])
    writeFileSync(`${root}/.cleo/config.json`, JSON.stringify({ budget: { total: 1000 } }))
    expect(spawn('T002')).toEqual([10, 'budget.exceeded'])
  }))

test('[SPAWN-7] of several refusals the first in the order of the checks decides the exit', () =>
  withTasks((cleo) => {
    const codes = (...args: string[]) => {
      const { exit, stdout } = cleo('orchestrate', 'spawn', ...args, '--json')
      const { error } = JSON.parse(stdout) as { error: { problems?: { code: string }[] } }
      return [exit, ...(error.problems ?? []).map(({ code }) => code)]
    }
    expect(codes('T003', '--skills', 'no-such-skill', '--worktree', 'nowhere')).toEqual([
      ...[5, 'dependency.open', 'skill.missing', 'spawn.folder'],
    ])
    expect(codes('T004', '--skills', 'no-such-skill')).toEqual([6, 'skill.missing', 'spawn.out'])
  }))
