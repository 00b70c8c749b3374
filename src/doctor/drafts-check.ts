import { removeFile } from '../host/permissions.ts'
import { statAt } from '../host/stat.ts'
import type { FileCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames, manualFinding } from './doctor-finding.ts'
import type { ExaminedProject } from './examined-project.ts'

const day = 24 * 60 * 60_000

/**
 * Folders that only CLEO writes to, each with a pattern for temporary files. A temporary file is named like the final
 * file, followed by a dot and eight more characters.
 */
const ownFolders: readonly [folder: string, name: RegExp][] = [
  ['spawns', /^T\d+\.\d+\.md\.[0-9a-z]{8}$/],
  ['cache', /^([0-9a-f]{8}\.md|skills\.json)\.[0-9a-z]{8}$/],
  ['cache/fits', /^[0-9a-f]{32}\.[0-9a-z]{8}$/],
]

/** Folders in which people may keep copies. Temporary files in them are reported but never deleted. */
const sharedFolders: readonly [folder: string, name: RegExp][] = [
  ['', /^(config\.json|\.gitignore|secret|cleo\.db)\.[0-9a-z]{8}$/],
  // This pattern skips names of backups, because the check `interrupted` handles them.
  ['backups', /^(?!\w+(-\w+)?-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d{3})?Z).*\.db\.[0-9a-z]{8}$/],
]

export const drafts: FileCheck = {
  id: 'drafts',
  needs: 'files',
  question: 'Is .cleo/ free of leftover temporary files?',
  find(project) {
    const safe = oldDrafts(project, ownFolders)
    const others = oldDrafts(project, sharedFolders)
    return [
      ...(safe.length > 0
        ? [fixableFinding({ ...draftFinding(safe), why: 'they take up space and are never read' })]
        : []),
      ...(others.length > 0
        ? [
            manualFinding({
              ...draftFinding(others),
              why: 'they take up space, but a person may have put some of them there',
              advice: 'Check them, and delete the ones you did not make',
            }),
          ]
        : []),
    ]
  },
  fix(project) {
    for (const name of oldDrafts(project, ownFolders))
      if (!project.dryRun) removeFile(`${project.root}/${name}`)
  },
}

const draftFinding = (
  names: readonly string[],
): Pick<DoctorFinding, 'kind' | 'severity' | 'what' | 'where'> => ({
  kind: 'file',
  severity: 'warning',
  what: `temporary files of interrupted writes: ${listNames(names)}`,
  where: names[0]!,
})

/** No process can still be writing a temporary file that is older than a day. */
const oldDrafts = ({ host, folder }: ExaminedProject, folders: typeof ownFolders): string[] =>
  folders.flatMap(([below, pattern]) => {
    const at = below === '' ? '.cleo' : `.cleo/${below}`
    const names = host.files.list(`${folder}/${below}`).filter((name) => pattern.test(name))
    return names
      .filter((name) => (statAt(`${folder}/${below}/${name}`)?.changed ?? host.now()) + day < host.now())
      .map((name) => `${at}/${name}`)
  })
