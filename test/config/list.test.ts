import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { leaseMs } from '../../src/claims/lease.ts'
import { limitsOf } from '../../src/prompt/fit-prompt.ts'
import { type TestProject, withProject } from '../support/project.ts'

const config = ({ root }: TestProject, text: string) =>
  writeFileSync(join(root, '.cleo', 'config.json'), text)

const userConfig = ({ root }: TestProject, text: string) => {
  const path = join(root, '.home', '.cleo', 'config.json')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const listed = async (project: TestProject) => {
  const { settings } = await project.must('admin.config.list', {})
  return new Map(settings.map((setting) => [setting.key, setting]))
}

type JsonSchema = { properties?: Record<string, JsonSchema> }

/** Returns the keys of the published schema that have no keys below them. */
const schemaKeys = ({ properties = {} }: JsonSchema, above = ''): string[] =>
  Object.entries(properties).flatMap(([name, inner]) =>
    inner.properties ? schemaKeys(inner, `${above}${name}.`) : [`${above}${name}`],
  )

test('[PROJ-8] every key of the published schema is listed, each with its meaning', () =>
  withProject(async (project) => {
    const settings = await listed(project)
    const schema = JSON.parse(readFileSync('schemas/config.json', 'utf8')) as JsonSchema
    const keys = schemaKeys(schema).filter((key) => key !== '$schema')
    expect([...settings.keys()].sort()).toEqual([...keys, 'people.allowClients', 'worktrees.path'].sort())
    for (const { key, about, origin } of settings.values()) {
      expect(about.length, key).toBeGreaterThan(10)
      expect(origin, key).toBe('default')
    }
  }))

test('[PROJ-8] the defaults are those that apply', () =>
  withProject(async (project) => {
    const settings = await listed(project)
    expect(settings.get('claims.lease')).toMatchObject({ value: leaseMs({}) / 60_000, default: 15 })
    expect(settings.get('budget.total')?.default).toBe(limitsOf({}).total)
    expect(settings.get('manifest.path')?.default).toBe('claudedocs/agent-outputs/MANIFEST.jsonl')
    expect(settings.get('gates.required.testing')?.default).toEqual(['testsPassed', 'documented'])
    expect(settings.get('commands.test')).not.toHaveProperty('default')
    config(project, '{"output": {"dir": "out"}}')
    expect((await listed(project)).get('manifest.path')?.default).toBe('out/MANIFEST.jsonl')
  }))

test('[PROJ-8] each value has its origin: default, user, project or environment', () =>
  withProject(async (project) => {
    config(project, '{"claims": {"lease": 3}, "database": "postgres://a@h/d", "project": "shop"}')
    userConfig(project, '{"people": {"allowClients": ["claude"]}}')
    const settings = await listed(project)
    expect(settings.get('claims.lease')).toMatchObject({ value: 3, default: 15, origin: 'project' })
    expect(settings.get('people.allowClients')).toMatchObject({ value: ['claude'], origin: 'user' })
    expect(settings.get('database')).toMatchObject({ value: 'postgres://a@h/d', origin: 'project' })
    expect(settings.get('stages')).toMatchObject({ value: true, origin: 'default' })
    const over = await listed(project.afresh({ CLEO_DATABASE_URL: 'postgres://b:s3cret@h/d' }))
    expect(over.get('database')).toMatchObject({ value: 'postgres://b@h/d', origin: 'environment' })
  }))

test('[PROJ-8] passwords are masked, in the file and in the environment', () =>
  withProject(async (project) => {
    config(project, '{"database": "postgres://ada:s3cret@h/d?password=s3cret", "project": "shop"}')
    const addresses = ['', 'postgres://ada:s3cret@h/d', 'postgres://ada:x/s3cret@h/d', 'nonsense s3cret']
    for (const address of addresses) {
      const settings = await listed(project.afresh({ CLEO_DATABASE_URL: address }))
      expect(JSON.stringify([...settings])).not.toContain('s3cret')
    }
  }))

test('[PROJ-8] a setting that is not trusted is marked', () =>
  withProject(async (project) => {
    config(project, '{"commands": {"test": "npm test"}, "hooks": {"task.added": [["./x.sh"]]}}')
    const untrusted = async () =>
      [...(await listed(project)).values()].flatMap(({ key, untrusted }) => (untrusted ? [key] : []))
    expect(await untrusted()).toEqual(['hooks.task.added', 'commands.test'])
    await project.afresh().must('admin.trust', { yes: true })
    expect(await untrusted()).toEqual([])
  }))

test('[PROJ-8] [OUT-2] an invalid file is refused with every problem', () =>
  withProject(async (project) => {
    config(project, '{"claim": 1, "commands": {"test": "a | b", "lint": 3}, "stages": "x"}')
    expect(await project.call('admin.config.list', {})).toMatchObject({
      ok: false,
      exit: 8,
      problems: [
        { path: 'commands.test', message: expect.stringContaining('needs a shell') },
        { path: 'commands.lint', message: 'must be a string, not 3' },
        { path: 'stages', message: 'must be a boolean, not "x"' },
        { path: 'claim', message: expect.stringContaining('did you mean "claims"?') },
      ],
    })
    config(project, '{}')
    userConfig(project, '{"claims": {"lease": 3}, "people": {"allowClients": ["claud"]}}')
    expect(await project.call('admin.config.list', {})).toMatchObject({
      ok: false,
      exit: 8,
      problems: [
        { path: 'people.allowClients', message: expect.stringContaining('did you mean "claude"?') },
        { path: 'claims', message: '"claims" is not a known field' },
      ],
    })
  }))

test.each([
  ['[]', ['']],
  ['{"claims": [], "budget": {}, "tokens": [1]}', ['claims', 'tokens']],
])('[PROJ-8] a list in place of an object is refused: %s', (text, paths) =>
  withProject(async (project) => {
    // CLEO takes a file of three bytes for the empty configuration that `init` writes, so this text is longer.
    config(project, `${text}\n\n`)
    expect(await project.call('admin.config.list', {})).toMatchObject({
      ok: false,
      exit: 8,
      problems: paths.map((path) => ({ path, message: 'must be an object, not a list' })),
    })
    config(project, '"text"')
    expect(await project.call('admin.config.list', {})).toMatchObject({
      problems: [{ message: 'must be an object, not "text"' }],
    })
  }),
)

test('[PROJ-8] an agent may read all settings', () =>
  withProject(async (project) => {
    expect(await project.as('T001.1').call('admin.config.list', {})).toMatchObject({ ok: true })
    const inClient = project.afresh({ CLAUDECODE: '1' })
    expect(await inClient.call('admin.config.get', { key: 'gates' })).toMatchObject({ ok: true })
    expect(await inClient.call('admin.config.path', {})).toMatchObject({ ok: true })
  }))
