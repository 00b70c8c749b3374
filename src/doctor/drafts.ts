import { removeFile } from '../host/care.ts'
import { look } from '../host/look.ts'
import type { FileCheck } from './check.ts'
import { type Finding, mendable, named, open } from './finding.ts'
import type { Patient } from './patient.ts'

const day = 24 * 60 * 60_000

/** Folders only CLEO writes to, with the names it gives there: a draft is such a name and eight more characters. */
const own: readonly [folder: string, name: RegExp][] = [
  ['spawns', /^T\d+\.\d+\.md\.[0-9a-z]{8}$/],
  ['cache', /^([0-9a-f]{8}\.md|skills\.json)\.[0-9a-z]{8}$/],
  ['cache/fits', /^[0-9a-f]{32}\.[0-9a-z]{8}$/],
]

/** Beside what people copy by hand too: these are shown, never taken away. */
const shared: readonly [folder: string, name: RegExp][] = [
  ['', /^((config\.json|\.gitignore|secret|cleo\.db)\.[0-9a-z]{8}|restore-[0-9a-z]{8})$/],
  ['backups', /\.db\.[0-9a-z]{8}$/],
]

export const drafts: FileCheck = {
  id: 'drafts',
  needs: 'files',
  asks: 'Is nothing left of writes that were cut off?',
  look(patient) {
    const ours = oldDrafts(patient, own)
    const others = oldDrafts(patient, shared)
    return [
      ...(ours.length > 0 ? [mendable({ ...about(ours), why: 'they are of no use and take up space' })] : []),
      ...(others.length > 0
        ? [
            open({
              ...about(others),
              why: 'they take up space, unless somebody put them there',
              advice: 'Look at them, and take away what you do not know',
            }),
          ]
        : []),
    ]
  },
  mend(patient) {
    for (const name of oldDrafts(patient, own)) if (!patient.dryRun) removeFile(`${patient.root}/${name}`)
  },
}

const about = (names: readonly string[]): Pick<Finding, 'kind' | 'severity' | 'what' | 'where'> => ({
  kind: 'file',
  severity: 'warning',
  what: `left over from writes that were cut off: ${named(names)}`,
  where: names[0]!,
})

/** More than a day old: nobody is still writing them. */
const oldDrafts = ({ host, folder }: Patient, places: typeof own): string[] =>
  places.flatMap(([below, pattern]) => {
    const at = below === '' ? '.cleo' : `.cleo/${below}`
    const names = host.files.list(`${folder}/${below}`).filter((name) => pattern.test(name))
    return names
      .filter((name) => (look(`${folder}/${below}/${name}`)?.changed ?? host.now()) + day < host.now())
      .map((name) => `${at}/${name}`)
  })
