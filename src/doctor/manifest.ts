import { sha256 } from '../host/sha256.ts'
import { linkedFolders } from '../host/worktrees.ts'
import { piecesIn } from '../manifest/pieces-in.ts'
import * as manifestFiles from '../manifest/sql/files.ts'
import * as quarantine from '../manifest/sql/quarantine.ts'
import { syncFiles } from '../manifest/write-lacking.ts'
import type { Context } from '../operation/context.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import type { StoreCheck } from './check.ts'
import { type Finding, mendable, named } from './finding.ts'
import { entryLines } from './sql/entries.ts'

export const manifest: StoreCheck = {
  id: 'manifest',
  needs: 'store',
  asks: 'Do the files of entries and the table say the same?',
  changesRows: true,
  async look(context) {
    const folders = [context.root, ...linkedFolders(context.host, context.root)]
    const files = folders
      .map((folder) => workFoldersIn(context, folder))
      .map((folders) => standing(context, folders))
    const lines = await entryLines(context.store)
    const unread = await notRead(context, files, new Set(lines.map((line) => line.line_sha256)))
    // What has not been read may be what seems to be missing.
    if (unread.length > 0) return [unreadLines(unread)]
    const isThere = (name: string) => files.some(({ lines, ids }) => lines.has(name) || ids.has(name))
    const lost = lines.filter(({ id, line_sha256 }) => !isThere(line_sha256) && !isThere(id))
    return lost.length > 0 ? [lostLines(lost.map(({ id }) => id))] : []
  },
  async mend(context) {
    await syncFiles(context)
  },
}

/** A fresh worktree has a copy of the file that nobody has read, and nothing new in it. */
const notRead = async (
  { store }: Context,
  files: readonly Standing[],
  entries: ReadonlySet<string>,
): Promise<string[]> => {
  const unread: string[] = []
  for (const { key, stamp, lines } of files) {
    if (stamp === '' || (await manifestFiles.find(store, key))?.seen === stamp) continue
    const strange = [...lines].filter((line) => !entries.has(line))
    const refused = await quarantine.known(store, strange)
    if (strange.some((line) => !refused.has(line))) unread.push(key)
  }
  return unread
}

const about = { kind: 'state', severity: 'warning' } as const

const unreadLines = (files: readonly string[]): Finding =>
  mendable({
    ...about,
    what: `written to since it was last read: ${named(files)}`,
    why: 'what agents handed in by hand is not in the table yet',
    where: files[0]!,
  })

const lostLines = (ids: readonly string[]): Finding =>
  mendable({
    ...about,
    what: `in no MANIFEST.jsonl any more: ${named(ids)}`,
    why: 'whoever reads the files misses it; the table has it',
    where: ids[0]!,
  })

interface Standing {
  key: string
  stamp: string
  /** By their hash. */
  lines: Set<string>
  ids: Set<string>
}

/** What stands in a file. */
const standing = ({ host }: Context, { manifest, manifestKey: key }: WorkFolders): Standing => {
  const found: Standing = { key, stamp: host.files.stamp(manifest), lines: new Set(), ids: new Set() }
  if (found.stamp === '') return found
  for (const { pieces, bytes } of piecesIn(manifest, 0)) {
    for (const piece of pieces) {
      found.lines.add(sha256(bytes.subarray(piece.start, piece.end)))
      if ('value' in piece && typeof piece.value['id'] === 'string') found.ids.add(piece.value['id'])
    }
  }
  return found
}
