import type { Host } from '../host/host.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { pathMatcher } from '../kernel/path-pattern.ts'
import type { WriteScope } from './agent-record.ts'
import type { HookEvent } from './hook-event.ts'
import { isPatchTool, isWriteTool } from './write-tools.ts'

const pathFields = ['file_path', 'filePath', 'path', 'notebook_path', 'absolute_path', 'target_file']

export const writtenPaths = ({ tool = '', input, cwd = '/' }: HookEvent): string[] => {
  if (isPatchTool(tool)) return patchedFiles(input).map((path) => resolvePath(cwd, path))
  if (!isWriteTool(tool) || input['command'] === 'view') return []
  for (const field of pathFields) {
    const path = input[field]
    if (typeof path === 'string' && path !== '') return [resolvePath(cwd, path)]
  }
  return []
}

const patchedFiles = (input: Record<string, unknown>): string[] => {
  const given = input['command'] ?? input['input'] ?? input['patch'] ?? input['patchText']
  const text = Array.isArray(given) ? String(given.at(-1)) : given
  if (typeof text !== 'string') return []
  return [...text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gm)].map(
    (match) => match[1]!,
  )
}

/** Folders for temporary files are always allowed. */
export const isOutside = (host: Host, scope: WriteScope | undefined, path: string): boolean => {
  if (!scope || isAllowed(host, scope, path)) return false
  // Also check the real path, because clients sometimes name a folder by a link, such as /tmp on macOS.
  const real = realPath(host, path)
  return real === path || !isAllowed(host, scope, real)
}

const isAllowed = (
  { env }: Host,
  { allowed, declared, root, worktree }: WriteScope,
  path: string,
): boolean => {
  const isIn = (folder: string) => path === folder || isBelow(folder, path)
  // If several allowed folders contain the file, use the innermost one. For example, both the project and a folder
  // in its `.cleo` can be allowed.
  const given = allowed.filter(isIn).reduce((a, b) => (b.length > a.length ? b : a), '')
  // Below the innermost allowed folder, the agent may not write in `.git` and `.cleo`.
  if (given !== '') return !/\/\.(?:git|cleo)(?:\/|$)/.test(path.slice(given.length))
  if (declared && isBelow(root, path) && pathMatcher(declared)(path.slice(root.length + 1))) return true
  if (isIn(root) || (worktree !== undefined && isIn(worktree))) return false
  return [env['TMPDIR'], '/tmp', '/var/tmp', '/dev'].some((folder) => folder !== undefined && isIn(folder))
}

/**
 * Returns the real path of a file, even if the file does not exist yet. Resolves the links of the nearest existing
 * folder and appends the rest of the path.
 */
const realPath = ({ files }: Host, path: string): string => {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const part = path.slice(0, end)
    if (files.sizeSeen(part) > 0 || files.kind(part) === 'folder')
      return files.realPath(part) + path.slice(end)
  }
  return path
}
