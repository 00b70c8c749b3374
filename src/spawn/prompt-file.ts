import type { Project } from '../operation/context.ts'
import type { Finished } from './finish.ts'

export const promptFile = ({ folder }: Pick<Project, 'folder'>, spawnId: string): string =>
  `${folder}/spawns/${spawnId}.md`

/** The file is made from the record: one that is missing or was changed is put right. */
export const storePrompt = (
  project: Project,
  { spawnId, prompt, companion, companionPath }: Finished,
): void => {
  put(project, promptFile(project, spawnId), prompt)
  if (companion !== undefined && companionPath !== undefined) put(project, companionPath, companion)
}

const put = ({ host: { files } }: Project, path: string, text: string): void => {
  if (files.read(path) !== text) files.replace(path, text, 0o600)
}
