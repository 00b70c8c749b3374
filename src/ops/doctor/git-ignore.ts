import { ignored } from '../admin/init.ts'
import type { FileCheck } from './check.ts'
import { type Finding, mendable, open } from './finding.ts'
import { askGit, isIgnored } from './git.ts'
import type { Patient } from './patient.ts'

const pathOf = ({ folder }: Patient): string => `${folder}/.gitignore`

export const gitIgnore: FileCheck = {
  id: 'gitignore',
  needs: 'files',
  asks: 'Does .cleo/.gitignore keep everything but the configuration out of git?',
  async look(patient) {
    if (patient.host.files.kind(pathOf(patient)) === undefined) return [missing]
    if (patient.host.files.kind(`${patient.folder}/cleo.db`) === undefined) return []
    const git = await askGit(patient, ['rev-parse', '--is-inside-work-tree'])
    return git.ok && !(await isIgnored(patient, '.cleo/cleo.db')) ? [weakened] : []
  },
  mend({ host, folder, dryRun }) {
    if (!dryRun) host.files.writeNew(`${folder}/.gitignore`, ignored, 0o644)
  },
}

const about = {
  kind: 'file',
  severity: 'warning',
  where: '.cleo/.gitignore',
  why: 'a database that git tracks breaks with the next checkout',
} satisfies Partial<Finding>

const missing = mendable({ ...about, what: '.cleo/.gitignore is gone' })

const weakened = open({
  ...about,
  what: '.cleo/.gitignore does not keep .cleo/cleo.db out of git',
  fix: 'Let it say `*`, `!.gitignore` and `!config.json`, one to a line.',
})
