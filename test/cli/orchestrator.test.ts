import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { data, executable, run } from '../support/cleo.ts'
import { withTemp } from '../support/temp.ts'

/** A valid call of every command of ORCH-1, and what its answer must name. */
const commands: [command: string, args: string[], names: RegExp, exit?: number][] = [
  ['start', ['T001'], /"session":"<session>","epic":"T001"/],
  ['analyze', ['T001'], /"waves":\[\["T002","T003","T004","T005"\]\]/],
  ['ready', ['T001'], /"tasks":\[\{"id":"T002"/],
  ['next', ['T001'], /"task":\{"id":"T002"/],
  ['dispatch', ['T002'], /"skill":"ct-research-agent"/],
  ['spawn', ['T003', '--ref'], /"spawnId":"T003\.\d+"/],
  ['status', ['T001'], /"out":\[\{"id":"T004","spawnId":"T004\.1"/],
  ['context', [], /"of":10000/],
  // T004.1 has submitted nothing yet, and validate reports that.
  ['validate', ['T004'], /"path":"BASE-001"/, 62],
  ['respawn', ['T005', '--ref'], /"spawnId":"T005\.2"/],
  ['receive', ['T004', '--message', 'need skill: ct-test-runner'], /ct-test-runner/],
  ['prime', ['T001', '--json'], /ORC-001/],
]

const namesOf = (command: string): string[][] => [
  [command],
  ['orchestrate', command],
  ['orchestrator', command],
  [`orchestrate.${command}`],
  [`orchestrator.${command}`],
]

/** Replaces everything that differs from run to run. */
const stable = (text: string, root: string): string =>
  text
    .replaceAll(root, '<root>')
    .replaceAll(/ses_[a-z0-9]+/g, '<session>')
    .replaceAll(/"ms":[\d.]+/g, '"ms":0')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"hash":"[0-9a-f]+"/g, '"hash":""')

const plant = (root: string): string => {
  const call = (...args: string[]) => run(executable, args, { cwd: root })
  data(call('init'))
  data(call('add', 'Accounts', '--type', 'epic', '--description', 'People sign up.'))
  data(call('add', 'Compare password hashing', '--parent', 'T001', '--description', 'Which one?'))
  data(call('add', 'Mail', '--parent', 'T001', '--description', 'Send it.'))
  data(call('add', 'Form', '--parent', 'T001', '--description', 'Build it.'))
  const { session } = data<{ session: string }>(call('orchestrate', 'start', '--epic', 'T001'))
  data(call('add', 'Page', '--parent', 'T001', '--description', 'Show it.'))
  for (const task of ['T004', 'T005']) {
    data(call('orchestrate', 'spawn', task, '--ref'))
    data(call('focus', 'set', task, '--as', `${task}.1`))
  }
  data(call('orchestrate', 'receive', 'T005', '--message', 'need skill: ct-test-runner'))
  return session
}

describe('the commands of an orchestrator', () => {
  test('[ORCH-1] [OPS-1] every listed command answers, and the same under every name', () =>
    withTemp((home) => {
      const planted = join(home, 'planted')
      mkdirSync(planted)
      const session = plant(planted)
      for (const [command, args, names, exit = 0] of commands) {
        // Each name of the command runs in its own copy of one project, so that the answers can be compared.
        const [first, ...others] = namesOf(command).map((name, i) => {
          const root = join(home, `${command}-${i}`)
          cpSync(planted, root, { recursive: true })
          const ran = run(executable, [...name, ...args], {
            cwd: root,
            env: { CLEO_SESSION_ID: session },
          })
          return { ...ran, stdout: stable(ran.stdout, root) }
        })
        expect(first!.exit, `${command}: ${first!.stdout} ${first!.stderr}`).toBe(exit)
        expect(first!.stdout, command).toMatch(names)
        for (const other of others) expect(other, command).toEqual(first)
      }
    }))

  test('[ORCH-1] [OPS-1] each has the same help under every name', () =>
    withTemp((home) => {
      for (const [command] of commands) {
        const [first, ...others] = namesOf(command).map((name) =>
          run(executable, [...name, '--help'], { cwd: home }),
        )
        expect(first!.exit, command).toBe(0)
        expect(first!.stdout, command).toMatch(new RegExp(`^  cleo ${command}\\b`, 'm'))
        for (const other of others) expect(other, command).toEqual(first)
      }
    }))
})
