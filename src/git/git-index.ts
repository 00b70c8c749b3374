import type { RunGit } from './run-git.ts'

/** A file that git tracks or would add. */
export interface ListedFile {
  path: string
  /** False for an untracked file that git does not ignore. */
  tracked: boolean
  /** Hash of the blob in the index; empty for an untracked file. */
  blob: string
  mode: string
  isModule: boolean
  /**
   * A flag that makes git ignore changes of the file. `git update-index` can set either flag. A sparse checkout sets
   * `skip-worktree` for the files that it leaves out.
   */
  flag?: 'assume-unchanged' | 'skip-worktree'
}

/** Lists only files below the folder in which `run` starts git. Returns undefined if git fails. */
export const listFiles = async (run: RunGit): Promise<ListedFile[] | undefined> => {
  const text = await run(['ls-files', '-z', '-v', '-s', '-o', '--exclude-standard'])
  return text === undefined ? undefined : listed(text)
}

export const listUntracked = async (run: RunGit): Promise<ListedFile[] | undefined> => {
  const text = await run(['ls-files', '-z', '-o', '--exclude-standard'])
  const paths = text?.split('\0').slice(0, -1)
  return paths?.map((path) => ({ path, tracked: false, blob: '', mode: '', isModule: false }))
}

/** Reads one record per file: `? path` for an untracked file, else tag, mode, blob, stage and path. */
const listed = (text: string): ListedFile[] => {
  const found: ListedFile[] = []
  let last = ''
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\0', at)
    const tag = text[at]!
    if (tag === '?')
      found.push({ path: text.slice(at + 2, end), tracked: false, blob: '', mode: '', isModule: false })
    else {
      const tab = text.indexOf('\t', at)
      const path = text.slice(tab + 1, end)
      const mode = text.slice(at + 2, at + 8)
      // A file with conflicts has several records. Use only the first one.
      if (path !== last)
        found.push({
          path,
          tracked: true,
          blob: text.slice(at + 9, tab - 2),
          mode,
          isModule: mode === '160000',
          ...flagOf(tag),
        })
      last = path
    }
    at = end + 1
  }
  return found
}

const flagOf = (tag: string): Pick<ListedFile, 'flag'> => {
  if (tag === 'H') return {}
  if (tag === 'S' || tag === 's') return { flag: 'skip-worktree' }
  return tag === tag.toLowerCase() ? { flag: 'assume-unchanged' } : {}
}

export interface GitSettings {
  /** Settings that switch off every filter, because a filter is a program that the repository can configure. */
  withoutFilters: string[]
  isSparse: boolean
  /** Whether a file counts as changed if only its executable bit differs. */
  hasModes: boolean
}

/** Returns undefined if git fails, or if a filter cannot be switched off. */
export const readSettings = async (run: RunGit): Promise<GitSettings | undefined> => {
  const text = await run(['config', '-z', '--list'])
  if (text === undefined) return undefined
  const filters = new Set<string>()
  const values = new Map<string, string>()
  for (const setting of text.split('\0')) {
    const [name = '', value = 'true'] = splitOnce(setting, '\n')
    if (name.startsWith('filter.')) filters.add(name.slice(0, name.lastIndexOf('.')))
    values.set(name, value)
  }
  // A filter is switched off with `-c name=value`. Git ends the name at the first equals sign. So a filter whose name
  // contains `=` cannot be switched off.
  if ([...filters].some((name) => name.includes('='))) return undefined
  return {
    withoutFilters: [...filters].flatMap((name) => [
      ...['clean', 'smudge', 'process'].map((key) => `${name}.${key}=`),
      `${name}.required=false`,
    ]),
    isSparse: values.get('core.sparsecheckout') === 'true',
    hasModes: values.get('core.filemode') !== 'false',
  }
}

/**
 * Reads the settings from the texts of git's own files, without a process. Returns undefined if git has to be asked
 * instead: a text mentions a filter, an included file or a sparse checkout, or `core.fileMode` is not true.
 */
export const settingsInFiles = (texts: readonly string[]): GitSettings | undefined => {
  const all = texts.join('\n').toLowerCase()
  if (['filter', 'include', 'sparse', 'worktreeconfig'].some((word) => all.includes(word))) return undefined
  for (const piece of all.split('filemode').slice(1)) {
    const value = splitOnce(piece, '\n')[0]!.trim()
    if (value !== '' && value !== '= true' && value !== '=true') return undefined
  }
  return { withoutFilters: [], isSparse: false, hasModes: true }
}

const splitOnce = (text: string, at: string): string[] => {
  const i = text.indexOf(at)
  return i < 0 ? [text] : [text.slice(0, i), text.slice(i + 1)]
}

/**
 * A file that might differ from HEAD. Git does not read the file. Instead, git compares the hash in the index with
 * HEAD, and the stat data in the index with the file's stat data.
 */
export interface IndexDifference {
  path: string
  /** The letter that `git diff-index` prints: A, M, D, T or U. */
  status: string
  modes: [inHead: string, now: string]
  /** Hash of the blob in HEAD; zeros if HEAD does not have the file. */
  blob: string
  /**
   * For status M: true if the index is known to differ from HEAD, false if the stat data only show that the file may
   * have changed.
   */
  isStaged: boolean
}

/** Returns undefined if git fails, for example because there is no commit yet. */
export const differencesFromHead = async (
  run: RunGit,
  { withoutFilters }: GitSettings,
): Promise<IndexDifference[] | undefined> => {
  // `--ignore-submodules=dirty` makes git compare only the commit of a submodule, so that no process starts in a
  // submodule.
  const args = ['diff-index', '--raw', '-z', '--no-renames', '--ignore-submodules=dirty']
  const text = await run([...args, 'HEAD', '--'], { settings: withoutFilters })
  if (text === undefined) return undefined
  const fields = text.split('\0')
  const found: IndexDifference[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const [inHead = '', now = '', blob = '', current = '', status = ''] = fields[i]!.slice(1).split(' ')
    found.push({
      path: fields[i + 1]!,
      status: status[0] ?? '',
      modes: [inHead, now],
      blob,
      isStaged: !isZero(current),
    })
  }
  return found
}

/** Compares the tracked files, as the index records them, with the files in HEAD; undefined if git fails. */
export const stagedDifferences = async (
  run: RunGit,
  files: readonly ListedFile[],
): Promise<IndexDifference[] | undefined> => {
  const text = await run(['ls-tree', '-r', '-z', '--full-tree', 'HEAD'])
  if (text === undefined) return undefined
  const inHead = new Map<string, { mode: string; blob: string }>()
  for (const record of text.split('\0').slice(0, -1)) {
    const [facts = '', path = ''] = splitOnce(record, '\t')
    const [mode = '', , blob = ''] = facts.split(' ')
    inHead.set(path, { mode, blob })
  }
  const found: IndexDifference[] = []
  for (const { path, tracked, mode, blob } of files) {
    if (!tracked) continue
    const head = inHead.get(path)
    inHead.delete(path)
    if (!head)
      found.push({
        path,
        status: 'A',
        modes: ['000000', mode],
        blob: blob.replace(/./g, '0'),
        isStaged: true,
      })
    else if (head.mode !== mode || head.blob !== blob)
      found.push({ path, status: 'M', modes: [head.mode, mode], blob: head.blob, isStaged: true })
  }
  for (const [path, { mode, blob }] of inHead)
    found.push({ path, status: 'D', modes: [mode, '000000'], blob, isStaged: true })
  return found
}

const isZero = (hash: string): boolean => hash.replaceAll('0', '') === ''
