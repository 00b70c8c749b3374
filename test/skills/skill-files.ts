import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeHost } from '../../src/host/node-host.ts'
import type { Project } from '../../src/operation/context.ts'
import { shippedEntries } from '../../src/skills/generated/skills.ts'

export const put = (root: string, path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

export const skillText = (name: string, metadata = '', body = 'Do it.\n'): string =>
  `---\nname: ${name}\ndescription: What ${name} is for.\n${metadata && `metadata:\n${metadata}`}---\n\n${body}`

/** Sets file times so far back that the entry cache relies on them. */
export const setOldTimes = (root: string, ...paths: string[]): void => {
  for (const path of paths) utimesSync(join(root, path), 1_700_000_000, 1_700_000_000)
}

export const opened = (root: string, more: Partial<Project> = {}): Project => ({
  host: { ...nodeHost(), cwd: root, home: `${root}/.home`, env: {} },
  actor: { id: 'ada', agent: false },
  dryRun: false,
  runHooks: async () => [],
  detectNewProject: async () => ({ commands: [], clients: [] }),
  written: {},
  root,
  folder: `${root}/.cleo`,
  config: {},
  ...more,
})

export const names = ({ skills }: { skills: { name: string }[] }): string[] => skills.map(({ name }) => name)

export const shippedNames = shippedEntries.map(({ name }) => name)
