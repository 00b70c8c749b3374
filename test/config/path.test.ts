import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { executable, run } from '../support/cleo.ts'
import { withProject } from '../support/project.ts'
import { withTemp } from '../support/temp.ts'

test('[PROJ-8] path names both files, even if they are invalid or missing', () =>
  withProject(async ({ root, must }) => {
    const project = join(root, '.cleo', 'config.json')
    const user = join(root, '.home', '.cleo', 'config.json')
    expect(await must('admin.config.path', {})).toEqual({ project, user })
    writeFileSync(project, '{ broken')
    expect(await must('admin.config.path', {})).toEqual({ project, user })
  }))

test('[PROJ-8] path prints one path in a line, and the file of the user outside a project', () =>
  withTemp((cwd) => {
    const path = (args: string[] = [], env = {}) =>
      run(executable, ['config', 'path', ...args], { cwd, env }).stdout
    const user = `${join(cwd, '.home', '.cleo', 'config.json')}\n`
    expect(path()).toBe(user)
    expect(path([], { XDG_CONFIG_HOME: '/xdg' })).toBe('/xdg/cleo/config.json\n')
    // A relative path would name a folder of the project, and a clone can bring that folder with it.
    expect(path([], { XDG_CONFIG_HOME: 'xdg' })).toBe(path([], { XDG_CONFIG_HOME: '' }))
    run(executable, ['init'], { cwd })
    mkdirSync(join(cwd, 'below'))
    const project = `${join(cwd, '.cleo', 'config.json')}\n`
    expect(path()).toBe(project + user)
    expect(path(['--field', 'project'])).toBe(project)
    expect(path(['--project', 'below'])).toBe(project + user)
  }))
