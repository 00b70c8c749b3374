import { isBelow, resolvePath } from '../kernel/path.ts'
import { printable } from '../kernel/print/printable.ts'
import type { EntryRow } from '../manifest/sql/entries.ts'
import type { Context, Project } from '../operation/context.ts'
import { manifestPath } from '../output/work-folders.ts'
import type { Findings } from '../prompt/prompt-facts.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'

/** What a task has to know of others: the findings of linked entries and of its dependencies, and their decisions. */
export const findingsFor = (context: Context, { entries, decisions, depends }: TaskToSpawn): Findings[] => [
  ...entries.map((entry) => ({
    ...findingsOf(context, entry),
    ...(!depends.some(({ id }) => id === entry.task) && { linked: true }),
  })),
  ...decisions,
]

const findingsOf = (project: Project, entry: EntryRow): Findings => {
  const { key_findings, file } = JSON.parse(entry.body) as { key_findings?: unknown; file?: unknown }
  const lines = Array.isArray(key_findings) ? key_findings.filter((line) => typeof line === 'string') : []
  const path = typeof file === 'string' ? fileOf(project, entry, file) : undefined
  const { task, status } = entry
  return { task, status, lines, ...(path !== undefined && { file: printable(path) }) }
}

/**
 * Finds the output file of an entry, in the project or in the worktree where it was submitted. The file is not opened.
 */
const fileOf = (project: Project, { place }: EntryRow, file: string): string | undefined => {
  for (const folder of new Set([project.root, place || project.root])) {
    const path = resolvePath(folder, `${manifestPath(project)}/../${file}`)
    if (isBelow(folder, path) && project.host.files.sizeSeen(path) > 0) return path
  }
  return undefined
}
