import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { hashInside } from './hash-inside.ts'
import { mostRead, type Tree } from './work-tree.ts'

// Apart from the tree: where git has a name for every file, none of this is loaded.

const unlooked = new Set(['.git', '.hg', '.svn', '.cleo', 'node_modules', '.venv', '__pycache__'])

/** What stands for a file that is not to be read: a link, a folder with a repository of its own, one too many. */
export const unusual = (folder: string, path: string, enough: boolean): string | undefined => {
  const stat = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false })
  if (!stat) return 'gone'
  if (stat.isSymbolicLink()) return `link ${readlinkSync(`${folder}/${path}`)}`
  if (!stat.isFile() || path.includes('\n')) return `${stat.mode} ${stat.mtimeMs}`
  return enough ? `${stat.size} ${stat.mtimeMs}` : undefined
}

export const walked = (folder: string, leftOut: (path: string) => boolean): Tree => {
  const files = new Map<string, { content: string; tracked: boolean }>()
  const open = ['']
  while (open.length > 0) {
    const at = open.pop()!
    for (const entry of readdirSync(`${folder}/${at}`, { withFileTypes: true })) {
      const path = at + entry.name
      if (unlooked.has(entry.name) || leftOut(path)) continue
      if (entry.isDirectory()) open.push(`${path}/`)
      else if (entry.isFile()) {
        const hashed = files.size < mostRead ? hashInside(folder, path) : undefined
        const content = hashed?.ok ? hashed.sha256 : unusual(folder, path, true)
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
