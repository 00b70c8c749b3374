import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EntryRow } from '../../src/manifest/sql/entries.ts'
import type { TestProject, WithProject } from './project.ts'

export const outputs = 'claudedocs/agent-outputs'
export const manifestOf = ({ root }: { root: string }): string => join(root, outputs, 'MANIFEST.jsonl')

export const linesOf = (project: TestProject): string[] =>
  existsSync(manifestOf(project)) ? readFileSync(manifestOf(project), 'utf8').split('\n').filter(Boolean) : []

/** Appends to the manifest file without a command, as agents of the old protocol do. */
export const echo = (project: TestProject, text: string | Uint8Array): void => {
  mkdirSync(dirname(manifestOf(project)), { recursive: true })
  appendFileSync(manifestOf(project), text)
}

export const put = ({ root }: TestProject, path: string, text = 'words'): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** Makes an epic, a spawned research task with its output file, and a task that was never spawned. */
export const withSpawnedTask = <T>(
  withProject: WithProject,
  work: (project: TestProject) => Promise<T>,
): Promise<T> =>
  withProject(async (project) => {
    const description = 'Which one, and why?'
    await project.must('tasks.add', { title: 'Accounts', type: 'epic' })
    await project.must('tasks.add', {
      title: 'Compare hashing',
      parent: 'T001',
      labels: ['research'],
      description,
    })
    await project.must('tasks.add', { title: 'Form', parent: 'T001', description })
    await project.must('orchestrate.spawn', { id: 'T002', ref: true })
    put(project, `${outputs}/T002-compare-hashing.md`)
    return work(project)
  })

export const entriesOf = async (project: TestProject): Promise<EntryRow[]> => {
  const db = await project.store()
  return db.all<EntryRow>('SELECT * FROM entries ORDER BY seq')
}

export const idsOf = async (project: TestProject): Promise<string[]> =>
  (await entriesOf(project)).map(({ id }) => id)

export const reasonsOf = async (project: TestProject): Promise<string[]> =>
  (await project.must('pipeline.manifest.quarantine', {})).lines.map(({ reason }) => reason)

/** Returns a manifest line as an agent writes it. */
export const line = (fields: object): string => `${JSON.stringify(fields)}\n`

export const three = ['One.', 'Two.', 'Three.']
export const done = { status: 'complete', finding: three } as const

/**
 * Submits T003-part-1 to T003-part-5. Odd ones are complete, even ones partial. The first two have the agent type
 * analysis.
 */
export const appendFive = async (project: TestProject): Promise<void> => {
  put(project, `${outputs}/T003-form.md`)
  for (const n of [1, 2, 3, 4, 5])
    await project.must('pipeline.manifest.append', {
      task: 'T003',
      id: `T003-part-${n}`,
      status: n % 2 ? 'complete' : 'partial',
      followup: [`zebra${n}`],
      agentType: n < 3 ? 'analysis' : 'implementation',
    })
}
