import { gitAt } from '../git/git.ts'
import { ignoreText } from '../project/git-ignore.ts'
import { postgresAddress } from '../store/open/choose-store.ts'
import type { FileCheck } from './check.ts'
import { fileListCheck } from './check-shapes.ts'
import { type DoctorFinding, fixableFinding, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

/** The only files of `.cleo/` that belong in git. */
const shared = ['.cleo/.gitignore', '.cleo/config.json']

const isPrivate = (path: string): boolean => path.startsWith('.cleo/') && !shared.includes(path)

/**
 * If `tracked` is true, returns the private files of `.cleo/` that git tracks. Otherwise returns the private files
 * that `git add` would add.
 */
const privateFiles = async ({ host, root }: ExaminedProject, tracked: boolean): Promise<string[]> => {
  const listed = (await gitAt(host, root)?.listing()) ?? []
  return listed.filter((file) => isPrivate(file.path) && file.tracked === tracked).map(({ path }) => path)
}

export const gitIgnore: FileCheck = {
  id: 'gitignore',
  needs: 'files',
  question: 'Does .cleo/.gitignore keep everything except the configuration out of git?',
  async find(project) {
    if (project.host.files.kind(`${project.folder}/.gitignore`) === undefined) return [missingIgnoreFile]
    return (await privateFiles(project, false)).length > 0 ? [incompleteIgnoreFile] : []
  },
  fix({ host, folder, config, dryRun }) {
    const text = ignoreText(postgresAddress(host, config) ? 'postgres' : 'sqlite')
    if (!dryRun) host.files.writeNew(`${folder}/.gitignore`, text, 0o644)
  },
}

const ignoreFinding = {
  kind: 'file',
  severity: 'warning',
  where: '.cleo/.gitignore',
  why: 'git add could add the database, and each checkout would then corrupt it',
} satisfies Partial<DoctorFinding>

const missingIgnoreFile = fixableFinding({ ...ignoreFinding, what: '.cleo/.gitignore is missing' })

const incompleteIgnoreFile = manualFinding({
  ...ignoreFinding,
  what: '.cleo/.gitignore lets git add more than the configuration',
  advice: 'Write these two lines into it: `*` and `!config.json`',
})

export const gitTracked = fileListCheck({
  id: 'tracked',
  question: 'Does git track only the configuration of .cleo/?',
  kind: 'file',
  severity: 'error',
  find: (project) => privateFiles(project, true),
  what: (names) => `git tracks ${names}`,
  name: (path) => path,
  why: 'a checkout replaces the live file with an old copy, and work is lost',
  where: (path) => path,
  advice: 'Make a backup, remove these files from git but keep them on disk, and commit that',
  command: 'cleo backup',
})
