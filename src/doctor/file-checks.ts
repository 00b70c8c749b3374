import { modeOf, setMode } from '../host/permissions.ts'
import { statAt } from '../host/stat.ts'
import { findTrustables, withTrustState } from '../trust/trust-items.ts'
import type { FileCheck } from './check.ts'
import { fixableFinding, listNames, manualFinding } from './doctor-finding.ts'
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
        what: `.cleo/config.json${fault.path ? `, ${fault.path}` : ''}: ${fault.message}`,
        why: 'every other command refuses to run until it is corrected',
        where: '.cleo/config.json',
        ...(fault.fix ? { fix: fault.fix } : { advice: 'Correct it in an editor' }),
      }),
    ),
}

export const modes: FileCheck = {
  id: 'modes',
  needs: 'files',
  question: 'Is .cleo/ readable by you only?',
  find(project) {
    const open = readableByOthers(project)
    if (open.length === 0) return []
    const shown = open.map(({ name, mode }) => `${name} (${mode.toString(8).padStart(3, '0')})`)
    return [
      fixableFinding({
        kind: 'file',
        severity: 'warning',
        what: `other users of this machine can read ${listNames(shown)}`,
        why: 'prompts and task texts may be confidential',
        where: open[0]!.name,
      }),
    ]
  },
  fix(project) {
    for (const { path, mode } of readableByOthers(project)) if (!project.dryRun) setMode(path, mode & 0o700)
  },
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

export const trust: FileCheck = {
  id: 'trust',
  needs: 'files',
  question: 'Is everything that was trusted still unchanged?',
  async find(project) {
    const items = withTrustState(project, await findTrustables(project))
    const changed = items
      .filter(({ state }) => state === 'changed')
      .map(({ kind, name }) => `${kind} ${name}`)
    if (changed.length === 0) return []
    return [
      manualFinding({
        kind: 'config',
        severity: 'warning',
        what: `changed since it was trusted: ${listNames(changed)}`,
        why: 'CLEO does not use it until a person trusts it again',
        fix: 'cleo trust status',
      }),
    ]
  },
}

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
        why: 'a program may be making them in a loop, which fills the disk',
        where: '.cleo/backups',
        fix: 'cleo restore --list',
      }),
    ]
  },
}

/** Files and folders that CLEO creates in `.cleo/` and that must not be links; '' is the folder itself. */
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

export const links: FileCheck = {
  id: 'links',
  needs: 'files',
  question: 'Are .cleo/ and the files and folders in it real, and not links?',
  find({ folder }) {
    const found = ownPaths
      .filter((below) => statAt(folder + below)?.kind === 'link')
      .map((below) => `.cleo${below}`)
    if (found.length === 0) return []
    return [
      manualFinding({
        kind: 'file',
        severity: 'error',
        what: `symbolic links: ${listNames(found)}`,
        why: 'CLEO follows no links here, because a link in a clone can point anywhere; commands that need one are refused',
        where: found[0]!,
        advice: 'Replace each link with the file or folder it points to',
      }),
    ]
  },
}
