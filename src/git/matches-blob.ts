import { type Content, hashKind } from '../host/content-at.ts'
import { newHash, sha256 } from '../host/sha256.ts'
import { bytesAt, lstatAt } from '../host/stat.ts'
import type { Git } from './git.ts'

const pointerStart = 'version https://git-lfs.github.com/spec/'

/** Whether a file is a git LFS pointer: a few lines that stand for content that was not downloaded. */
export const isLfsPointer = (firstBytes: Uint8Array): boolean =>
  Buffer.from(firstBytes).toString('latin1').startsWith(pointerStart)

export const lfsPointerBytes = pointerStart.length

/**
 * Whether a file matches a blob. It matches if it has the same bytes, or the same lines with CRLF. If the blob is a
 * git LFS pointer, a file also matches if it has the content to which the pointer refers.
 */
export const matchesBlob = async (
  git: Git,
  place: string,
  content: Content,
  blob: string,
): Promise<boolean> => {
  if (content.blob === blob) return true
  if (content.is !== 'file') return false
  if (isSameLines(place, content, blob)) return true
  const text = (await git.smallBlobText(blob)) ?? ''
  return text.startsWith(pointerStart) && text.includes(`\noid sha256:${content.sha256}\n`)
}

const mostLines = 16 << 20

const isSameLines = (place: string, content: Content, blob: string): boolean => {
  if ((lstatAt(place)?.size ?? 0) > mostLines) return false
  const bytes = bytesAt(place)
  if (!bytes || sha256(bytes) !== content.sha256) return false
  const lines = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  const hash = newHash(hashKind(blob))
  hash.update(`blob ${lines.length}\0`)
  hash.update(lines)
  return hash.digest('hex') === blob
}
