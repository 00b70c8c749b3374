import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Config } from '../../src/kernel/config.ts'
import { readConfig } from '../../src/project/read-config.ts'
import { trustSetting } from '../../src/project/settings.ts'
import type { TestProject } from './project.ts'

/**
 * Changes settings as a person does, so that they are trusted. Returns a project that has read the configuration again.
 */
export const configure = async (project: TestProject, settings: Config): Promise<TestProject> => {
  const { root } = project
  const path = join(root, '.cleo', 'config.json')
  const text = JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as Config), ...settings })
  writeFileSync(path, text)
  const written = readConfig(path, text)
  const host = { ...nodeHost(), home: join(root, '.home'), env: {} }
  for (const name of Object.keys(written)) await trustSetting({ host, root, written }, {}, name)
  return project.afresh()
}
