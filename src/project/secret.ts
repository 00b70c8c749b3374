import type { Project } from '../operation/context.ts'

const shortest = 16

/**
 * Returns the random secret from which the marks of fences are made. Without the secret, nobody who writes a fenced
 * text can guess the marks. The first spawn creates the secret. If two spawns run at once, both read the same secret.
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
