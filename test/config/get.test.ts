import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

test('[PROJ-8] get returns the value, the default and the origin of one setting or of a group', () =>
  withProject(async ({ root, must }) => {
    expect(await must('admin.config.get', { key: 'claims.lease' })).toEqual({
      ...{ key: 'claims.lease', about: 'minutes that a claim lasts unless it is renewed' },
      ...{ value: 15, default: 15, origin: 'default' },
    })
    writeFileSync(join(root, '.cleo', 'config.json'), '{"budget": {"task": 5}}')
    expect(await must('admin.config.get', { key: 'budget' })).toMatchObject({
      ...{ value: { task: 5 }, origin: 'project' },
    })
    expect(await must('admin.config.get', { key: 'hooks.task.added' })).not.toHaveProperty('value')
    expect(await must('admin.config.get', { key: 'claims' })).toMatchObject({
      ...{ value: { lease: 15, quiet: 60 }, origin: 'default' },
    })
  }))

test('[PROJ-8] [OUT-2] an unknown setting is refused with the nearest one', () =>
  withProject(async ({ call }) => {
    expect(await call('admin.config.get', { key: 'command.test' })).toMatchObject({
      ok: false,
      exit: 6,
      message: 'key: "command.test" is not a setting; did you mean "commands.test"?',
    })
  }))

describe('[PROJ-8] get prints the bare value, and set accepts what get prints', () => {
  const printed = [
    ['commands.test', '"python -m unittest"', 'python -m unittest'],
    ['commands.test', '["npm", "run", "my test"]', "npm run 'my test'"],
    ['commands.test', '{"run": "npm test"}', '{"run":"npm test"}'],
    ['claims.lease', '2.5', '2.5'],
    ['gates.reports', 'true', 'true'],
    ['output.roots', '["a", "b c"]', 'a,b c'],
    ['skills.paths', '["a,b"]', '["a,b"]'],
    ['skills.paths', '["[a]"]', '["[a]"]'],
    ['hooks.task.added', '[["./x.sh"]]', '[["./x.sh"]]'],
    ['skills.paths', '["a\\u001b[31mb"]', 'a\\u{1b}[31mb'],
  ] as const

  test.each(printed)('%s %s', (key, json, expected) =>
    withTemp((cwd) => {
      run(executable, ['init'], { cwd })
      const parts = key.startsWith('hooks.') ? ['hooks', 'task.added'] : key.split('.')
      const file = join(cwd, '.cleo', 'config.json')
      writeFileSync(file, `{"${parts[0]}": {"${parts[1]}": ${json}}}`)
      const { stdout } = run(executable, ['config', 'get', key], { cwd })
      expect(stdout).toBe(`${expected}\n`)
      if (expected.includes('u{1b}')) return
      const again = run(executable, ['config', 'set', key, expected], { cwd })
      expect(again.exit).toBe(0)
      expect(run(executable, ['config', 'get', key], { cwd }).stdout).toBe(stdout)
    }),
  )
})

test('[PROJ-1] outside a project only your own settings can be read', () =>
  withTemp((cwd) => {
    const get = (key: string) => run(executable, ['config', 'get', key], { cwd })
    expect(get('claims.lease').exit).toBe(9)
    expect(get('people.allowClients')).toMatchObject({ exit: 0, stdout: 'false\n' })
  }))
