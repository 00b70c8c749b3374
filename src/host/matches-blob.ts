import { lstatSync, readFileSync } from 'node:fs'
import { type Content, hashKind } from './content-at.ts'
import type { Git } from './git.ts'
import { newHash, sha256 } from './sha256.ts'

const pointerStart = 'version https://git-lfs.github.com/spec/'

/** Whether a file is a git LFS pointer: a few lines that stand for content that was not downloaded. */
export const isLfsPointer = (firstBytes: Uint8Array): boolean =>
  Buffer.from(firstBytes).toString('latin1').startsWith(pointerStart)

export const lfsPointerBytes = pointerStart.length

/** Whether a file has the bytes of a blob, the same lines with CRLF, or the content that a git LFS pointer names. */
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
  if ((lstatSync(place, { throwIfNoEntry: false })?.size ?? 0) > mostLines) return false
  const bytes = readFileSync(place)
  if (sha256(bytes) !== content.sha256) return false
  const lines = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  const hash = newHash(hashKind(blob))
  hash.update(`blob ${lines.length}\0`)
  hash.update(lines)
  return hash.digest('hex') === blob
}
