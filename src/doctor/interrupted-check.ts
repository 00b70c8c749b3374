import * as disk from '../host/node-database-files.ts'
import { outerFolder } from '../project/outer-backups.ts'
import { describeBackup } from '../store/sqlite/backup.ts'
import { backupFolder, freeName } from '../store/sqlite/backup-names.ts'
import { fileListCheck } from './check-shapes.ts'
import type { ExaminedProject } from './examined-project.ts'

const hour = 60 * 60_000

/** Matches the file that a killed backup leaves. Its name is the name of the backup, a dot and eight characters. */
const draft = /^\w+(-\w+)?-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(\.\d{3})?Z(-\d+)?\.db\.[0-9a-z]{8}$/
/**
 * Matches the folder that a killed restore leaves. In this folder, `saved.db` is a copy of the backup to restore.
 */
const workFolder = /^restore-[0-9a-z]{8}$/

interface Leftover {
  name: string
  path: string
  /** A file that could be a complete copy of a database. */
  copy: string
}

/** Returns leftovers older than an hour. No process can still be writing them. */
const leftovers = ({ host, folder, context }: ExaminedProject): Leftover[] => {
  const id = context?.store.project
  const outer = id ? outerFolder(host, id) : undefined
  const inFolder = (at: string, shown: string, pattern: RegExp, copy: string): Leftover[] =>
    disk
      .namesIn(at)
      .filter((name) => pattern.test(name) && isOld(host.now(), `${at}/${name}`))
      .map((name) => ({ name: `${shown}/${name}`, path: `${at}/${name}`, copy: `${at}/${name}${copy}` }))
  return [
    ...inFolder(folder, '.cleo', workFolder, '/saved.db'),
    ...inFolder(backupFolder(folder), '.cleo/backups', draft, ''),
    ...(outer ? inFolder(`${outer}/backups`, `${outer}/backups`, draft, '') : []),
  ]
}

const isOld = (now: number, path: string): boolean => {
  const changed = disk.stat(path)?.mtimeMs
  return changed !== undefined && changed + hour < now
}

export const interrupted = fileListCheck({
  id: 'interrupted',
  question: 'Is .cleo/ free of files from backups and restores that were killed?',
  kind: 'file',
  severity: 'warning',
  find: leftovers,
  what: (names) => `leftovers of killed backups and restores: ${names}`,
  name: ({ name }) => name,
  why: 'they take up space; --fix keeps complete copies as backups and deletes the others',
  where: ({ name }) => name,
  fix(project, { path, copy }) {
    keepComplete(project, copy)
    disk.remove(path)
  },
})

/**
 * Saves a complete copy as a backup, because it can be the only backup. Ignores an incomplete copy, which could not
 * be restored.
 */
const keepComplete = ({ folder }: ExaminedProject, copy: string): void => {
  const found = describeBackup(copy, { thorough: true })
  if (!found || found.invalid !== undefined) return
  const backups = backupFolder(folder)
  disk.makeFolder(backups)
  disk.link(copy, freeName(backups, 'interrupted'))
}
