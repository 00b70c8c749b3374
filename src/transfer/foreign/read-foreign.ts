import { join } from 'node:path'
import type { Host } from '../../host/host.ts'
import { inputLimits } from '../../kernel/input-limits.ts'
import { normalised } from '../../kernel/text.ts'
import { readNamedFile } from '../../operation/named-file.ts'
import { jsonIn } from '../records.ts'
import type { ForeignProject } from './foreign-task.ts'
import { isBacklog, readBacklog } from './read-backlog.ts'
import { isBeads, readBeads } from './read-beads.ts'
import { isTaskMaster, readTaskMaster } from './read-task-master.ts'

/** Returns undefined if CLEO does not know the format. */
export const readForeignText = (given: string): ForeignProject | undefined => {
  const text = normalised(given)
  const whole = jsonIn(text)
  if (isTaskMaster(whole)) return readTaskMaster(whole)
  const first = text.split('\n').find((line) => line.trim() !== '')
  return isBeads(jsonIn(first ?? '')) ? readBeads(text) : undefined
}

/** Two paths for the file of each tool: the path inside a project, then the path inside the tool's own folder. */
const knownFiles = ['.taskmaster/tasks/tasks.json', 'tasks/tasks.json', '.beads/issues.jsonl', 'issues.jsonl']
const backlogFolders = ['.', 'backlog', '.backlog']

/**
 * Reads the project of another tool in a folder. If the folder has several such projects, `found` lists their paths.
 * If it has none, `found` is empty.
 */
export const readForeignFolder = async (
  host: Host,
  folder: string,
): Promise<ForeignProject | { found: string[] }> => {
  const texts = knownFiles.filter((name) => host.files.kind(join(folder, name)) === 'file')
  const backlogs: string[] = []
  for (const name of backlogFolders) if (await isBacklog(host, join(folder, name))) backlogs.push(name)
  const found = [...texts, ...backlogs]
  if (found.length !== 1) return { found }
  if (backlogs.length === 1) return readBacklog(host, join(folder, backlogs[0]!))
  const path = join(folder, texts[0]!)
  const text = readNamedFile(host, path, {
    field: 'file',
    most: inputLimits.importBytes,
    instead: 'cleo import -',
  })
  return readForeignText(text) ?? { found: [] }
}
