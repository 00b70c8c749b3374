import { modeOf, setMode } from '../host/permissions.ts'
import { statAt } from '../host/stat.ts'
import { problemSentence } from '../refusals/refusal.ts'
import { findTrustables, withTrustState } from '../trust/trust-items.ts'
import type { FileCheck } from './check.ts'
import { fileListCheck } from './check-shapes.ts'
import { manualFinding } from './doctor-finding.ts'
import { type ExaminedProject, isLocked } from './examined-project.ts'

export const configFile: FileCheck = {
  id: 'config',
  needs: 'files',
  question: 'Is .cleo/config.json valid JSON with known keys and valid values?',
  find: (project) =>
    project.configFaults.map((fault) =>
      manualFinding({
        kind: isLocked(project) ? 'file' : 'config',
        severity: 'error',
        what: `.cleo/config.json: ${problemSentence(fault)}`,
        why: 'every other command refuses to run until the file is corrected',
        where: '.cleo/config.json',
        ...(fault.fix ? { fix: fault.fix } : { advice: 'Correct it in an editor' }),
      }),
    ),
}

const privatePaths = [
  ...['', '/backups', '/spawns', '/cache', '/test-runs'],
  ...['/cleo.db', '/cleo.db-wal', '/cleo.db-shm', '/secret'],
]

const readableByOthers = ({ folder }: ExaminedProject): { path: string; name: string; mode: number }[] =>
  privatePaths.flatMap((below) => {
    const path = folder + below
    const mode = modeOf(path)
    return mode !== undefined && mode & 0o077 ? [{ path, name: `.cleo${below}`, mode }] : []
  })

export const modes = fileListCheck({
  id: 'modes',
  question: 'Is .cleo/ readable by you only?',
  kind: 'file',
  severity: 'warning',
  find: readableByOthers,
  what: (names) => `other users of this machine can read ${names}`,
  name: ({ name, mode }) => `${name} (${mode.toString(8).padStart(3, '0')})`,
  why: 'prompts and task texts may be confidential',
  where: ({ name }) => name,
  fix: (_, { path, mode }) => setMode(path, mode & 0o700),
})

export const trust = fileListCheck({
  id: 'trust',
  question: 'Is everything that was trusted still unchanged?',
  kind: 'config',
  severity: 'warning',
  find: async (project) =>
    withTrustState(project, await findTrustables(project)).filter(({ state }) => state === 'changed'),
  what: (names) => `items that have changed since a person trusted them: ${names}`,
  name: ({ kind, name }) => `${kind} ${name}`,
  why: 'CLEO does not use them until a person trusts them again',
  command: 'cleo trust status',
})

const mostBackups = 100

export const backups: FileCheck = {
  id: 'backups',
  needs: 'files',
  question: `Are there at most ${mostBackups} backups?`,
  find({ host, folder }) {
    const names = host.files.list(`${folder}/backups`).filter((name) => name.endsWith('.db'))
    if (names.length <= mostBackups) return []
    const bytes = names.reduce((sum, name) => sum + host.files.size(`${folder}/backups/${name}`), 0)
    return [
      manualFinding({
        kind: 'file',
        severity: 'warning',
        what: `.cleo/backups holds ${names.length} backups (${Math.ceil(bytes / 1024 / 1024)} MiB)`,
        why: 'if a program makes them in a loop, the disk fills up',
        where: '.cleo/backups',
        fix: 'cleo restore --list',
      }),
    ]
  },
}

/** Files and folders that CLEO creates in `.cleo/` and that must not be links. '' stands for `.cleo/` itself. */
const ownPaths = [
  ...['', '/config.json', '/cleo.db', '/secret', '/backups'],
  ...[
    '/spawns',
    '/cache',
    '/content',
    '/context',
    '/test-runs',
    '/runs',
    '/rcasd',
    '/cleo.db-wal',
    '/cleo.db-shm',
  ],
]

export const links = fileListCheck({
  id: 'links',
  question: 'Are .cleo/ and the files and folders in it real, and not links?',
  kind: 'file',
  severity: 'error',
  find: ({ folder }) => ownPaths.filter((below) => statAt(folder + below)?.kind === 'link'),
  what: (names) => `symbolic links: ${names}`,
  name: (below) => `.cleo${below}`,
  why: 'CLEO does not follow them, because a link in a clone can point anywhere, and refuses commands that need them',
  where: (below) => `.cleo${below}`,
  advice: 'Replace each link with the file or folder it points to',
})
