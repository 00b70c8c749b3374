import type { Host } from './host.ts'

/**
 * The folders where a project lies in the linked worktrees of its repository, as git has put them down; no git is started
 * for it. One that has been taken away by hand is left out.
 */
export const linkedFolders = ({ files }: Host, root: string): string[] => {
  const top = repositoryAround(files, root)
  if (top === undefined) return []
  const kept = `${top}/.git/worktrees`
  return files.list(kept).flatMap((name) => {
    const gitFile = files.read(`${kept}/${name}/gitdir`)?.trim()
    if (!gitFile?.endsWith('/.git') || files.kind(gitFile) !== 'file') return []
    const folder = files.realPath(gitFile.slice(0, -'/.git'.length)) + root.slice(top.length)
    return files.kind(folder) === 'folder' ? [folder] : []
  })
}

const repositoryAround = (files: Host['files'], from: string): string | undefined => {
  for (let folder = from; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/')))
    if (files.kind(`${folder}/.git`) !== undefined) return folder
  return undefined
}
