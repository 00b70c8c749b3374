import type { Project } from '../operation/context.ts'

const shortest = 16

/**
 * Returns the project's random secret. A prompt puts foreign text between marks that are made from this secret, so that
 * the author of the text cannot guess the marks. The first call creates the secret. If two processes call this at once,
 * both get the same secret.
 */
export const projectSecret = async (
  project: Pick<Project, 'host' | 'folder' | 'dryRun'>,
): Promise<string> => {
  const { files, randomId } = project.host
  const path = `${project.folder}/secret`
  const read = () => (files.kind(path) === 'file' ? (files.read(path) ?? '').trim() : '')
  const found = read()
  if (found.length >= shortest) return found
  const made = randomId(40)
  if (project.dryRun) return made
  if (!files.writeNew(path, `${made}\n`, 0o600) && read() === found) files.replace(path, `${made}\n`, 0o600)
  return read()
}
