import { gitAt } from '../host/git.ts'
import { ignored } from '../project/git-ignore.ts'
import type { FileCheck } from './check.ts'
import { type Finding, mendable, open } from './finding.ts'
import type { Patient } from './patient.ts'

/** What of the folder belongs into git. */
export const meant = ['.cleo/.gitignore', '.cleo/config.json']

const pathOf = ({ folder }: Patient): string => `${folder}/.gitignore`

export const gitIgnore: FileCheck = {
  id: 'gitignore',
  needs: 'files',
  asks: 'Does .cleo/.gitignore keep everything but the configuration out of git?',
  async look(patient) {
    if (patient.host.files.kind(pathOf(patient)) === undefined) return [missing]
    const listed = await gitAt(patient.host, patient.root)?.listing()
    return listed?.some(({ path, tracked }) => !tracked && isPrivate(path)) ? [weakened] : []
  },
  mend({ host, folder, dryRun }) {
    if (!dryRun) host.files.writeNew(`${folder}/.gitignore`, ignored, 0o644)
  },
}

const isPrivate = (path: string): boolean => path.startsWith('.cleo/') && !meant.includes(path)

const about = {
  kind: 'file',
  severity: 'warning',
  where: '.cleo/.gitignore',
  why: 'a database that git tracks breaks with the next checkout',
} satisfies Partial<Finding>

const missing = mendable({ ...about, what: '.cleo/.gitignore is gone' })

const weakened = open({
  ...about,
  what: '.cleo/.gitignore lets git take in more than the configuration',
  advice: 'Let it say `*`, `!.gitignore` and `!config.json`, one to a line',
})
