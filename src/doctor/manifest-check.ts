import { linkedFolders } from '../git/git-folder.ts'
import { manifestLines } from '../manifest/manifest-lines.ts'
import * as manifestFiles from '../manifest/sql/files.ts'
import * as quarantine from '../manifest/sql/quarantine.ts'
import { syncFiles } from '../manifest/sync-files.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { StoreCheck } from './check.ts'
import { type DoctorFinding, fixableFinding, listNames } from './doctor-finding.ts'
import { entryLines } from './sql/entries.ts'

export const manifest: StoreCheck = {
  id: 'manifest',
  needs: 'store',
  question: 'Do the manifest files and the database hold the same entries?',
  changesRows: true,
  async find(context) {
    const folders = [context.root, ...linkedFolders(context.host, context.root)]
    const files = folders
      .map((folder) => workFoldersIn(context, folder))
      .map((folders) => contentOf(context, folders))
    const lines = await entryLines(context.store)
    const unread = await notRead(context, files, new Set(lines.map((line) => line.line_sha256)))
    // If there are unread lines, report only these: a line that seems to be lost can be an unread one.
    if (unread.length > 0) return [unreadLines(unread)]
    const isInFile = (key: string) => files.some(({ lines, ids }) => lines.has(key) || ids.has(key))
    // Until an entry is received, its line exists only in the worktree of its spawn. If that worktree was removed
    // because the attempt was replaced, the line does not count as lost.
    const isRetired = (place: string) => place !== '' && context.host.files.kind(place) === undefined
    const lost = lines.filter(
      ({ id, line_sha256, place }) => !isInFile(line_sha256) && !isInFile(id) && !isRetired(place),
    )
    return lost.length > 0 ? [lostLines(lost.map(({ id }) => id))] : []
  },
  async fix(context) {
    await syncFiles(context)
  },
}

/**
 * Returns the manifest files with unread lines. A line is unread if it was not ingested and is not in quarantine.
 * If CLEO has never read a file, its lines can still be known. For example, the manifest in a new worktree is a copy,
 * and its lines were ingested from the original. So each line of such a file is looked up.
 */
const notRead = async (
  { store }: Context,
  files: readonly ManifestContent[],
  entries: ReadonlySet<string>,
): Promise<string[]> => {
  const unread: string[] = []
  for (const { key, stamp, lines } of files) {
    if (stamp === '' || (await manifestFiles.find(store, key))?.seen === stamp) continue
    const unknown = [...lines].filter((line) => !entries.has(line))
    const refused = await quarantine.known(store, unknown)
    if (unknown.some((line) => !refused.has(line))) unread.push(key)
  }
  return unread
}

const about = { kind: 'state', severity: 'warning' } as const

const unreadLines = (files: readonly string[]): DoctorFinding =>
  fixableFinding({
    ...about,
    what: `${listNames(files)} ${files.length === 1 ? 'has' : 'have'} lines that are not ingested yet`,
    why: 'entries that agents appended are not in the database yet',
    where: files[0]!,
  })

const lostLines = (ids: readonly string[]): DoctorFinding =>
  fixableFinding({
    ...about,
    what: `${listNames(ids)} ${ids.length === 1 ? 'is' : 'are'} missing from MANIFEST.jsonl`,
    why: 'the database has the entry, but readers of the file miss it',
    where: ids[0]!,
  })

interface ManifestContent {
  key: string
  stamp: string
  /** The hash of each line. */
  lines: Set<string>
  ids: Set<string>
}

const contentOf = ({ host }: Context, { manifest, manifestKey: key }: WorkFolders): ManifestContent => {
  const found: ManifestContent = { key, stamp: host.files.stamp(manifest), lines: new Set(), ids: new Set() }
  if (found.stamp === '') return found
  for (const { lines } of manifestLines(manifest, 0)) {
    for (const { sha256, fields } of lines) {
      found.lines.add(sha256)
      if (typeof fields?.['id'] === 'string') found.ids.add(fields['id'])
    }
  }
  return found
}
