import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { withProject } from '../support/project.ts'

test('the version is the one of the package', () =>
  withProject(async (project) => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect(await project.must('admin.version', {})).toEqual({ version })
  }))

test('unknown input is refused', () =>
  withProject(async (project) => {
    expect(await project.call('admin.version', { short: true } as object)).toMatchObject({
      ok: false,
      code: 'input.invalid',
      problems: [{ path: 'short' }],
    })
  }))
