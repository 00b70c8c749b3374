import { refuse } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { newestBackup, outerProjectAt } from './lost-project.ts'
import { savedConfig } from './make-outer-backup.ts'
import { restoreBackup } from './restore-backup.ts'

export interface BroughtBack {
  restored: string
  tasks: number
}

/** Restores the newest backup of a lost project from the user's state folder, and its configuration if that is gone. */
export const bringBackProject = async (
  project: Pick<Project, 'host' | 'root' | 'folder' | 'actor'>,
): Promise<BroughtBack> => {
  const { host, root, folder } = project
  const lost = outerProjectAt(host, root)
  const backup = lost && newestBackup(lost, { thorough: true })
  if (!backup) return refuse('project.unsaved', { root })
  const { tasks } = await restoreBackup({ ...project, dryRun: false }, backup.path)
  // Written last, because this file makes the folder a project.
  host.files.writeNew(`${folder}/config.json`, host.files.read(savedConfig(lost.folder)) ?? '{}\n', 0o644)
  return { restored: backup.path, tasks }
}
