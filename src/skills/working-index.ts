import { readInside } from '../host/safe-read.ts'
import { hmacSha256, sha256 } from '../host/sha256.ts'
import { type FileStat, statAt } from '../host/stat.ts'
import { Refused } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import type { Project } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import type { Found } from './discover.ts'
import type { Entry } from './entry.ts'

export type Known = { ok: true; entry: Entry } | { ok: false; line?: number; why: string }

export interface WorkingIndex {
  /** The entry of a skill. SKILL.md is read when it was changed, and parsed when it is another text. */
  entry(found: Found): Promise<Known>
  /** Whether the skills are not as they were when the index was kept, or what was made from them is not. */
  isStale(found: readonly Found[], made: FileStat | undefined): boolean
  keep(found: readonly Found[], made: FileStat | undefined): void
}

/** What is known of a skill as long as its files have their stamps. */
interface Kept {
  stamp: string
  /** What the entry says besides SKILL.md. */
  place: string
  sha256: string
  known: Known
}

const mostBytes = 1024 * 1024
/** Milliseconds. Disks tell time in steps: what was changed that shortly before may have been changed once more. */
const step = 20

/** What was learned of skills before, in `.cleo/cache`: it can only make things faster. */
export const openWorkingIndex = (project: Project): WorkingIndex => {
  const path = `${project.folder}/cache/skills.json`
  let index: Index | undefined
  let changed = false
  const current = (found: readonly Found[]) => {
    const folders = new Set(found.map((each) => each.folder))
    return [...(index?.skills ?? [])].filter(([each]) => folders.has(each))
  }

  return {
    async entry(found) {
      index ??= await readKept(project, path)
      const { skills, written } = index
      const { main } = found
      const more = statAt(`${found.folder}/references`)
      const kept = skills.get(found.folder)
      const [stamp, place] = [main.stamp, `${found.path} ${more?.stamp}`]
      const isSettled = [main, more].every((each) => !each || each.changed + step < written)
      if (kept?.stamp === stamp && kept.place === place && isSettled) return kept.known
      const read = readInside(found.folder, 'SKILL.md', mostBytes)
      if (!read.ok) return { ok: false, why: read.why }
      const hash = sha256(read.text)
      const same = kept?.sha256 === hash && kept.place === place
      const known = same ? kept.known : await parse(found, read.text, hash)
      skills.set(found.folder, { stamp, place, sha256: hash, known })
      changed = true
      return known
    },
    isStale: (found, now) =>
      !index || changed || current(found).length !== index.skills.size || now?.stamp !== index.made,
    keep(found, now) {
      if (project.dryRun || !index?.seal) return
      const text = JSON.stringify({ by, skills: Object.fromEntries(current(found)), made: now?.stamp })
      try {
        project.host.files.replace(path, `${index.seal(text)}\n${text}`, 0o600)
      } catch (error) {
        // Without it the next one is slower, and that is all.
        if (!(error instanceof Refused)) throw error
      }
    },
  }
}

/** Seldom needed, so loaded when it is. */
const parse = async ({ path, folder }: Found, text: string, hash: string): Promise<Known> => {
  const { readEntry } = await import('./entry.ts')
  const { filesBehind } = await import('./files-behind.ts')
  const read = await readEntry(text, { path, sha256: hash, files: filesBehind(folder, text) })
  return read.ok ? read : { ok: false, line: read.line, why: read.why }
}

const by = `${version} 1`

interface Index {
  skills: Map<string, Kept>
  /** The stamp of what was made from them. */
  made?: string
  /** When it was, by the clock of its disk. */
  written: number
  /** Without one nothing can be kept. */
  seal?: Seal
}

/** One that is broken, touched or of another CLEO is none. */
const readKept = async (project: Project, path: string): Promise<Index> => {
  const seal = await sealOf(project)
  const none = { skills: new Map(), written: 0, ...(seal && { seal }) }
  const seen = statAt(path)
  if (!seal || seen?.kind !== 'file') return none
  try {
    const [mark, text = ''] = (project.host.files.read(path) ?? '').split('\n')
    if (mark !== seal(text)) return none
    const kept = JSON.parse(text) as { by: string; skills: Record<string, Kept>; made?: string }
    if (kept.by !== by) return none
    return { ...none, skills: new Map(Object.entries(kept.skills)), made: kept.made, written: seen.changed }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return none
  }
}

type Seal = (text: string) => string

/** The stamp of the secret belongs to it: a secret that came with a clone, and a cache sealed with it, count for nothing. */
const sealOf = async (project: Project): Promise<Seal | undefined> => {
  const path = `${project.folder}/secret`
  const there = statAt(path)
  if (there ? there.kind !== 'file' : project.dryRun) return undefined
  try {
    const secret = await projectSecret(project)
    const stamp = statAt(path)?.stamp
    return secret && stamp ? (text) => hmacSha256(secret, [stamp, text]) : undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return undefined
  }
}
