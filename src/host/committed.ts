import { lstatSync, readFileSync } from 'node:fs'
import { type Content, contentAt, hashBehind } from './contents.ts'
import type { Git } from './git.ts'
import { newHash, sha256 } from './sha256.ts'

// The bytes are compared here: git would put them through filters, which are programs the repository names and which
// can answer whatever is to be heard.

/** Those of some files that HEAD does not have as they are in the folder, each with the reason. */
export const uncommitted = async (
  git: Git,
  folder: string,
  files: readonly { path: string; sha256: string }[],
): Promise<Map<string, string>> => {
  const kept = await git.kept(files.map(({ path }) => path))
  const reasons = new Map<string, string>()
  for (const { path, sha256 } of files) {
    const blob = kept.get(path)
    if (blob === undefined) {
      reasons.set(path, 'is not committed')
      continue
    }
    const content = contentAt(`${folder}/${path}`, hashBehind(blob))
    if (content?.sha256 !== sha256) reasons.set(path, 'is being written to')
    else if (!(await isKept(git, `${folder}/${path}`, content, blob)))
      reasons.set(path, 'has changes that are not committed')
  }
  return reasons
}

/** The files of a folder that are not as the index has them, new ones with them. */
export const unstaged = async (git: Git, folder: string): Promise<string[] | undefined> => {
  const changed: string[] = []
  const listing = await git.listing()
  for (const { path, tracked, blob, isModule } of listing ?? []) {
    if (isModule) continue
    const place = `${folder}/${path}`
    const content = tracked ? contentAt(place, hashBehind(blob)) : undefined
    if (!content || !(await isKept(git, place, content, blob))) changed.push(path)
  }
  return listing && changed
}

/** The same bytes; or the same lines with other line ends; or those that a name kept for a large file stands for. */
const isKept = async (git: Git, place: string, content: Content, blob: string): Promise<boolean> => {
  if (content.blob === blob) return true
  if (content.is !== 'file') return false
  if (isSameLines(place, content, blob)) return true
  const text = (await git.small(blob)) ?? ''
  const isPointer = text.startsWith('version https://git-lfs.github.com/spec/')
  return isPointer && text.includes(`\noid sha256:${content.sha256}\n`)
}

const mostLines = 16 << 20

const isSameLines = (place: string, content: Content, blob: string): boolean => {
  if ((lstatSync(place, { throwIfNoEntry: false })?.size ?? 0) > mostLines) return false
  const bytes = readFileSync(place)
  if (sha256(bytes) !== content.sha256) return false
  const lines = Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
  const hash = newHash(hashBehind(blob))
  hash.update(`blob ${lines.length}\0`)
  hash.update(lines)
  return hash.digest('hex') === blob
}
