import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../support/project.ts'

const put = ({ root }: TestProject, scripts: object) =>
  writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts }))

const states = async ({ must }: TestProject) =>
  (await must('admin.trust.status', {})).items.map(({ name, state }) => `${name} ${state}`)

test('[GATE-5] a detected command of an own project may run already, so it is not shown as new', () =>
  withProject(async (project) => {
    put(project, { test: 'true' })
    expect(await states(project)).toEqual(['detected test allowed'])
    await project.must('admin.trust', { yes: true })
    expect(await states(project)).toEqual(['detected test trusted'])
    put(project, { test: 'false' })
    expect(await states(project)).toEqual(['detected test changed'])
    await project.must('admin.untrust', {})
    expect(await states(project), 'nothing runs in a project that is not known').toEqual([
      'detected test new',
    ])
  }))

test('[PROJ-8] an item keeps the time since when it is trusted, until it changes', () =>
  withProject(async (project) => {
    const since = async () => (await project.must('admin.trust.status', {})).items.map((item) => item.since)
    put(project, { test: 'true' })
    expect(await since()).toEqual([undefined])
    await project.must('admin.trust', { yes: true })
    const [first] = await since()
    expect(Date.parse(first!)).toBeGreaterThan(0)
    project.clock.now += 60_000
    await project.must('admin.trust', { yes: true })
    expect(await since()).toEqual([first])
    put(project, { test: 'echo' })
    expect(await since()).toEqual([undefined])
    project.clock.now += 60_000
    await project.must('admin.trust', { yes: true })
    const [second] = await since()
    expect(Date.parse(second!)).toBeGreaterThan(Date.parse(first!))
  }))
