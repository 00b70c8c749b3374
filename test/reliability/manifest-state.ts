import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openProject } from '../../src/index.ts'

const outputs = 'claudedocs/agent-outputs'
export const manifestOf = (project: string): string => join(project, outputs, 'MANIFEST.jsonl')

/** Makes a project with one task and its output file. Any number of entries can be submitted for the task. */
export const projectForEntries = async (project: string): Promise<void> => {
  const opened = openProject({ project, as: 'ada' })
  await opened.call('admin.init', {})
  await opened.call('tasks.add', { title: 'One' })
  await opened.close()
  mkdirSync(join(project, outputs), { recursive: true })
  writeFileSync(join(project, outputs, 'T001-x.md'), 'words')
  writeFileSync(manifestOf(project), '')
}

export interface ManifestState {
  /** The ids in the manifest file. An id that is there twice is listed twice. */
  file: string[]
  table: string[]
  quarantined: string[]
  texts: string[]
  logged: number
}

/** Reads the manifest file and the tables without CLEO. */
export const manifestState = (project: string): ManifestState => {
  const database = new DatabaseSync(join(project, '.cleo', 'cleo.db'), { readOnly: true })
  const all = <T>(sql: string) => database.prepare(sql).all() as T[]
  try {
    const lines = readFileSync(manifestOf(project), 'utf8').split('\n').filter(Boolean)
    return {
      file: lines.map((line) => (JSON.parse(line) as { id: string }).id),
      table: all<{ id: string }>('SELECT id FROM entries ORDER BY seq').map(({ id }) => id),
      quarantined: all<{ text: string }>('SELECT text FROM quarantine').map(({ text }) => text),
      texts: all<{ ref: string }>("SELECT ref FROM texts WHERE kind = 'entry'").map(({ ref }) => ref),
      logged: all("SELECT 1 FROM audit WHERE operation LIKE 'pipeline.manifest.%' AND task IS NOT NULL")
        .length,
    }
  } finally {
    database.close()
  }
}

export const without = (some: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others)
  return some.filter((each) => !known.has(each))
}

export const twice = (some: readonly string[]): string[] => some.filter((each, i) => some.indexOf(each) !== i)
