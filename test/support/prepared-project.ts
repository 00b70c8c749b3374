import { randomBytes } from 'node:crypto'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Everything that `init` made in a folder. Most tests start from a copy, because running `init` takes ten times as
 * long.
 */
export interface PreparedProject {
  root: string
  id: string
  /** The time of the test clock after `init`. */
  now: number
  entries: Entry[]
}

interface Entry {
  /** The path below the root. */
  path: string
  mode: number
  /** Undefined for a folder. */
  bytes?: Buffer
  /** The byte positions at which a database file contains the id of the project. */
  ids: number[]
}

/** Reads everything in the folder of a project that was just made and is not open. */
export const readPrepared = (root: string, id: string, now: number): PreparedProject => {
  const entries = readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted()
  return {
    ...{ root, id, now },
    entries: entries.map((path): Entry => {
      const stat = statSync(join(root, path))
      const mode = stat.mode & 0o777
      if (stat.isDirectory()) return { path, mode, ids: [] }
      const bytes = readFileSync(join(root, path))
      return { path, mode, bytes, ids: path.endsWith('.db') ? placesOf(bytes, id) : [] }
    }),
  }
}

const placesOf = (bytes: Buffer, text: string): number[] => {
  const found: number[] = []
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) found.push(at)
  return found
}

export const newProjectId = (): string => randomBytes(6).toString('hex')

/**
 * Copies the project to another folder and gives it another id, so that two projects of one test are not taken for the
 * same.
 */
export const copyPrepared = (prepared: PreparedProject, root: string, id: string): void => {
  const names = (bytes: Buffer) => bytes.includes(prepared.root) || bytes.includes(prepared.id)
  const renamed = (text: string) => text.replaceAll(prepared.root, root).replaceAll(prepared.id, id)
  for (const { path, mode, bytes, ids } of prepared.entries) {
    const to = join(root, renamed(path))
    if (!bytes) mkdirSync(to, { mode })
    else if (ids.length === 0)
      // Only text files contain the folder or the id of the project. Objects of git are not text and must not
      // change.
      writeFileSync(to, names(bytes) ? renamed(bytes.toString('utf8')) : bytes, { mode })
    else {
      const copy = Buffer.from(bytes)
      for (const at of ids) copy.write(id, at)
      writeFileSync(to, copy, { mode })
    }
  }
}

/**
 * Returns a function that fills a folder as `make` does. It runs `make` once and copies what it made, because a single
 * command of the program costs more than the whole copy. Each copy has its own project id.
 */
export const madeOnce = (make: (folder: string) => void): ((folder: string) => void) => {
  let prepared: PreparedProject | undefined
  return (folder) => {
    prepared ??= readMade(make)
    copyPrepared(prepared, folder, newProjectId())
  }
}

const readMade = (make: (folder: string) => void): PreparedProject => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'cleo-made-'))
  try {
    make(folder)
    const [mark = ''] = globSync('**/.cleo/project.*', { cwd: folder })
    return readPrepared(folder, mark.slice(mark.lastIndexOf('.') + 1), 0)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
