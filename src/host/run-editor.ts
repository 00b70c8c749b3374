import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * Lets a person edit a file. The editor's command may have arguments, as in `code --wait`. Returns why the editor
 * failed; undefined if it succeeded.
 */
export const runEditor = (command: string, path: string, cwd: string): string | undefined => {
  const ran = spawnSync('sh', ['-c', `${command} "$@"`, command, path], { cwd, stdio: 'inherit' })
  if (ran.error) return `could not be started: ${ran.error.message}`
  if (ran.signal) return `was ended by ${ran.signal}`
  if (ran.status === 127) return 'was not found'
  if (ran.status === 126) return 'cannot be run'
  return ran.status === 0 ? undefined : `ended with exit ${ran.status}`
}

export const removeDraft = (path: string): void => {
  for (const each of [path, `${path}.base`]) rmSync(each, { force: true })
}
