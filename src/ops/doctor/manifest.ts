import { piecesOf } from '../../contract/manifest/pieces.ts'
import { readPiece } from '../../host/line-file.ts'
import { sha256 } from '../../host/sha256.ts'
import { ownLines } from '../../store/health/entries.ts'
import * as manifestFiles from '../../store/manifest-files.ts'
import type { Context } from '../context.ts'
import { ingest } from '../manifest/ingest.ts'
import { placesIn } from '../manifest/places.ts'
import type { StoreCheck } from './check.ts'
import { type Finding, mendable, named, open } from './finding.ts'

const portion = 1024 * 1024
const longest = 4 * portion

export const manifest: StoreCheck = {
  id: 'manifest',
  needs: 'store',
  asks: 'Do the file of entries and the table say the same?',
  changesRows: true,
  async look(context) {
    const places = placesIn(context, context.root)
    const stamp = context.host.files.stamp(places.manifest)
    const row = await manifestFiles.find(context.store, places.key)
    const unread = stamp !== '' && row?.seen !== stamp
    if (unread) return [notRead(places.key)]
    const lines = await ownLines(context.store)
    const there = lines.length > 0 ? linesIn(context, places.manifest) : new Set()
    const missing = lines.filter((line) => !there.has(line.line_sha256)).map(({ id }) => id)
    return missing.length > 0 ? [notWritten(places.key, missing)] : []
  },
  async mend(context) {
    await ingest(context)
  },
}

const about = { kind: 'state', severity: 'warning' } as const

const notRead = (path: string): Finding =>
  mendable({
    ...about,
    what: `${path} was written to since it was last read`,
    why: 'what agents handed in by hand is not in the table yet',
    where: path,
  })

const notWritten = (path: string, ids: readonly string[]): Finding =>
  open({
    ...about,
    what: `not in ${path} any more: ${named(ids)}`,
    why: 'whoever reads the file misses it; the table has it',
    where: path,
    advice: 'Bring the file back from version control',
    fix: 'cleo manifest list',
  })

/** The hash of everything in the file that is an entry, or might be. */
const linesIn = ({ host }: Context, path: string): Set<string> => {
  const found = new Set<string>()
  if (host.files.kind(path) !== 'file') return found
  let bytes: Uint8Array = new Uint8Array()
  for (let at = 0; ; ) {
    const read = readPiece(path, at + bytes.length, portion)
    bytes = Buffer.concat([bytes, read.bytes])
    const atEnd = at + bytes.length >= read.size || read.bytes.length === 0
    const { pieces, consumed } = piecesOf(bytes, bytes.length >= longest || atEnd ? 'nothing' : 'more')
    for (const { start, end } of pieces) found.add(sha256(bytes.subarray(start, end)))
    at += consumed
    bytes = bytes.slice(consumed)
    if (atEnd) return found
  }
}
