import type { ProjectFolder } from '../project-commands/project-folder.ts'

export interface SetUpCommand {
  words: string[]
  exclusive?: true
  /** The setting or file that defines the command. */
  source: string
  /** Set if `source` is a file of another tool: the environment variables that this tool would set. */
  variables?: Readonly<Record<string, string>>
}

interface LockFile {
  file: string
  words(project: ProjectFolder): string[]
  /** Whether the lock file lists any packages. */
  isNeeded(text: string): boolean
}

/**
 * One list of lock files for each language. In each list, the first file that exists decides which package manager
 * runs.
 */
const lockFiles: readonly (readonly LockFile[])[] = [
  [
    {
      file: 'pnpm-lock.yaml',
      words: () => ['pnpm', 'install', '--frozen-lockfile', '--prefer-offline'],
      isNeeded: (text) => /^(?:packages|snapshots):\s*$/m.test(text),
    },
    {
      file: 'yarn.lock',
      words: ({ names }) =>
        names.includes('.yarnrc.yml')
          ? ['yarn', 'install', '--immutable']
          : ['yarn', 'install', '--frozen-lockfile', '--prefer-offline', '--non-interactive'],
      isNeeded: (text) => /^\s+resolution: |^\s+resolved /m.test(text),
    },
    { file: 'bun.lock', words: () => bunInstall, isNeeded: (text) => /"packages":\s*\{\s*"/.test(text) },
    { file: 'bun.lockb', words: () => bunInstall, isNeeded: () => true },
    { file: 'package-lock.json', words: () => npmCi, isNeeded: (text) => namesPackages(text) },
    { file: 'npm-shrinkwrap.json', words: () => npmCi, isNeeded: (text) => namesPackages(text) },
  ],
  [
    { file: 'uv.lock', words: () => ['uv', 'sync', '--frozen'], isNeeded: (text) => packageCount(text) > 1 },
    {
      file: 'poetry.lock',
      words: () => ['poetry', 'install', '--no-interaction'],
      isNeeded: (text) => packageCount(text) > 0,
    },
  ],
  [
    {
      file: 'Cargo.lock',
      words: () => ['cargo', 'fetch', '--locked'],
      isNeeded: (text) => text.includes('\nsource = '),
    },
  ],
  [{ file: 'go.sum', words: () => ['go', 'mod', 'download'], isNeeded: (text) => text.trim() !== '' }],
]

const npmCi = ['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund']
const bunInstall = ['bun', 'install', '--frozen-lockfile']

export const lockFileCommands = (project: ProjectFolder): SetUpCommand[] =>
  lockFiles.flatMap((ofLanguage): SetUpCommand[] => {
    const found = ofLanguage.find(({ file }) => project.names.includes(file))
    if (!found) return []
    // A lock file that is too large to read is assumed to list packages.
    const text = project.read(found.file)
    const isNeeded = text === undefined ? project.isFile(found.file) : found.isNeeded(text)
    return isNeeded ? [{ words: found.words(project), source: found.file }] : []
  })

/** Whether an npm lock file lists packages other than the project itself. */
const namesPackages = (text: string): boolean => {
  try {
    const { packages = {}, dependencies = {} } = JSON.parse(text) as Record<string, object>
    return Object.keys(packages).some((name) => name !== '') || Object.keys(dependencies).length > 0
  } catch {
    return true
  }
}

/** The lock file of uv always lists the project itself, so its count is at least 1. */
const packageCount = (text: string): number =>
  text.split('\n').filter((line) => line.trim() === '[[package]]').length
