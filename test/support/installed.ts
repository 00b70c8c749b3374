import { spawnSync } from 'node:child_process'

/** Whether a program can be run. If it is missing, tries to install its package, and prints a warning if that fails. */
export const hasProgram = (program: string, unchecked: string): boolean => {
  const isThere = () => spawnSync(program, ['--version']).status === 0
  if (isThere()) return true
  if (process.getuid?.() === 0)
    spawnSync('apt-get', ['install', '--yes', '--quiet', program], { stdio: 'ignore' })
  if (isThere()) return true
  console.warn(`SKIPPED: ${program} is not installed, so ${unchecked}`)
  return false
}
