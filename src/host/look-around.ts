import { lstatSync, readdirSync } from 'node:fs'
import { contentAt } from './contents.ts'
import { mostRead, type Tree, treeHash } from './work-tree.ts'

const unlooked = new Set(['.git', '.hg', '.svn', '.cleo', 'node_modules', '.venv', '__pycache__'])

/** What tells a file from another one in its place; undefined where there is none. One too many is not read. */
export const contentOf = (folder: string, path: string, enough: boolean): string | undefined => {
  const place = `${folder}/${path}`
  if (enough) {
    const stat = lstatSync(place, { throwIfNoEntry: false })
    return stat && `${stat.mode} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
  }
  const content = contentAt(place)
  if (content?.is === 'folder') return ofFolder(place)
  return content && `${content.is} ${content.sha256}${content.isProgram ? ' program' : ''}`
}

/** A repository inside, which git does not look into. Another worktree is somebody else's business. */
const ofFolder = (place: string): string =>
  lstatSync(`${place}/.git`, { throwIfNoEntry: false })?.isFile()
    ? 'worktree'
    : treeHash(
        walked(place, () => false),
        [],
      )

export const walked = (folder: string, leftOut: (path: string) => boolean): Tree => {
  const files = new Map<string, { content: string; tracked: boolean }>()
  const open = ['']
  while (open.length > 0) {
    const at = open.pop()!
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = at + entry.name
      if (unlooked.has(entry.name) || leftOut(path)) continue
      if (entry.isDirectory()) open.push(`${path}/`)
      else {
        const content = contentOf(folder, path, files.size >= mostRead)
        if (content !== undefined) files.set(path, { content, tracked: false })
      }
    }
  }
  return { files }
}

/** The files of a tree that were written after another file was, which the same clock has stamped. */
export const changedSince = (folder: string, { files }: Tree, mark: string): string[] => {
  const at = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs
  if (at === undefined) return []
  return [...files.keys()].filter(
    (path) => (lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })?.mtimeMs ?? 0) > at,
  )
}
