import { resolvePath } from '../kernel/path.ts'
import type { Files, Host } from './host.ts'

/** The folder that `.git` is in, at or above a folder. Asked before git is: starting a program to hear of none takes longer. */
export const topOfRepository = ({ files }: Host, folder: string): string | undefined => {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf('/'))) {
    if (files.sizeSeen(`${at}/.git/HEAD`) > 0 || files.sizeSeen(`${at}/.git`) > 0) return at || '/'
    if (at === '') return undefined
  }
}

export const hasRepository = (host: Host, folder: string): boolean =>
  topOfRepository(host, folder) !== undefined

/** The commit that HEAD names, from the files that say so; null before the first one, undefined where only git can tell. */
export const headOf = async (host: Host, folder: string): Promise<string | null | undefined> => {
  const { files } = host
  const top = topOfRepository(host, folder)
  if (top === undefined) return undefined
  const own = await gitFolder(files, top)
  const head = own && (await files.load(`${own}/HEAD`))?.trim()
  if (!own || !head) return undefined
  if (isCommit(head)) return head
  const ref = head.startsWith('ref: ') ? head.slice(5).trim() : ''
  // Of a repository that keeps its refs in another way, HEAD says `refs/heads/.invalid`.
  if (!ref.startsWith('refs/') || ref.includes('..') || ref.endsWith('.invalid')) return undefined
  const common = resolvePath(own, ((await files.load(`${own}/commondir`)) ?? '.').trim())
  const loose = (await files.load(`${common}/${ref}`))?.trim()
  if (loose !== undefined) return isCommit(loose) ? loose : undefined
  const packed = ((await files.load(`${common}/packed-refs`)) ?? '').split('\n')
  const found = packed.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0]
  if (found === undefined) return null
  return isCommit(found) ? found : undefined
}

/** In a linked worktree `.git` is a file that names it. */
const gitFolder = async (files: Files, top: string): Promise<string | undefined> => {
  if (files.sizeSeen(`${top}/.git/HEAD`) > 0) return `${top}/.git`
  const text = await files.load(`${top}/.git`)
  return text?.startsWith('gitdir: ') ? resolvePath(top, text.slice(8).trim()) : undefined
}

const isCommit = (text: string): boolean => {
  if (text.length !== 40 && text.length !== 64) return false
  for (const char of text) if (!'0123456789abcdef'.includes(char)) return false
  return true
}
