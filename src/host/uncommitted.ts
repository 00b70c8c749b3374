import { lstatSync, readFileSync } from 'node:fs'
import { type Content, contentAt, hashKind } from './content-at.ts'
import type { Git } from './git.ts'
import { newHash, sha256 } from './sha256.ts'

// The code below compares the bytes itself. Git would run filters: programs that the repository configures and that
// can return anything.

/** The files whose content differs from HEAD, each with the reason. */
export const uncommitted = async (
  git: Git,
  folder: string,
  files: readonly { path: string; sha256: string }[],
): Promise<Map<string, string>> => {
  const kept = await git.blobsInHead(files.map(({ path }) => path))
  const reasons = new Map<string, string>()
  for (const { path, sha256 } of files) {
    const blob = kept.get(path)
    if (blob === undefined) {
      reasons.set(path, 'is not committed')
      continue
    }
    const content = contentAt(`${folder}/${path}`, hashKind(blob))
    if (content?.sha256 !== sha256) reasons.set(path, 'is being written to')
    else if (!(await matchesBlob(git, `${folder}/${path}`, content, blob)))
      reasons.set(path, 'has changes that are not committed')
  }
  return reasons
}

/** The files of a folder that differ from the index, including untracked files; undefined if git fails. */
export const unstaged = async (git: Git, folder: string): Promise<string[] | undefined> => {
  const changed: string[] = []
  const listing = await git.listing()
  for (const { path, tracked, blob, isModule } of listing ?? []) {
    if (isModule) continue
    const place = `${folder}/${path}`
    const content = tracked ? contentAt(place, hashKind(blob)) : undefined
    if (!content || !(await matchesBlob(git, place, content, blob))) changed.push(path)
  }
  return listing && changed
}

/** Whether a file has the bytes of a blob, the same lines with CRLF, or the content that a git LFS pointer names. */
const matchesBlob = async (git: Git, place: string, content: Content, blob: string): Promise<boolean> => {
  if (content.blob === blob) return true
  if (content.is !== 'file') return false
  if (isSameLines(place, content, blob)) return true
  const text = (await git.smallBlobText(blob)) ?? ''
  const isPointer = text.startsWith('version https://git-lfs.github.com/spec/')
  return isPointer && text.includes(`\noid sha256:${content.sha256}\n`)
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
