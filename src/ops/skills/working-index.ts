import type { Host } from '../../host/host.ts'
import { look, type Seen } from '../../host/look.ts'
import { readInside } from '../../host/safe-read.ts'
import { sha256 } from '../../host/sha256.ts'
import { Refused } from '../../model/result.ts'
import { version } from '../../model/version.ts'
import type { Entry } from '../../prompt/skills/entry.ts'
import type { Project } from '../context.ts'
import type { Found } from './discover.ts'

export type Known = { ok: true; entry: Entry } | { ok: false; line?: number; why: string }

export interface WorkingIndex {
  /** The entry of a skill. SKILL.md is read when it was changed, and parsed when it is another text. */
  entry(found: Found): Promise<Known>
  /** Whether the skills are not as they were when the index was kept, or what was made from them is not. */
  isStale(found: readonly Found[], made: Seen | undefined): boolean
  keep(found: readonly Found[], made: Seen | undefined): void
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
export const openWorkingIndex = ({ host, folder, dryRun }: Project): WorkingIndex => {
  const path = `${folder}/cache/skills.json`
  const written = look(path)?.changed ?? 0
  const { skills, made } = readKept(host, path)
  let changed = false
  const isSettled = (...seen: (Seen | undefined)[]) =>
    seen.every((each) => !each || each.changed + step < written)
  const current = (found: readonly Found[]) => {
    const folders = new Set(found.map((each) => each.folder))
    return [...skills].filter(([each]) => folders.has(each))
  }

  return {
    async entry(found) {
      const { main } = found
      const more = look(`${found.folder}/references`)
      const kept = skills.get(found.folder)
      const [stamp, place] = [main.stamp, `${found.path} ${more?.stamp}`]
      if (kept?.stamp === stamp && kept.place === place && isSettled(main, more)) return kept.known
      const read = readInside(found.folder, 'SKILL.md', mostBytes)
      if (!read.ok) return { ok: false, why: read.why }
      const hash = sha256(read.text)
      const same = kept?.sha256 === hash && kept.place === place
      const known = same ? kept.known : await parse(found, read.text, hash)
      skills.set(found.folder, { stamp, place, sha256: hash, known })
      changed = true
      return known
    },
    isStale: (found, now) => changed || current(found).length !== skills.size || now?.stamp !== made,
    keep(found, now) {
      if (dryRun) return
      const text = JSON.stringify({ by, skills: Object.fromEntries(current(found)), made: now?.stamp })
      try {
        host.files.replace(path, text, 0o600)
      } catch (error) {
        // Without it the next one is slower, and that is all.
        if (!(error instanceof Refused)) throw error
      }
    },
  }
}

/** Seldom needed, so loaded when it is. */
const parse = async ({ path, folder }: Found, text: string, hash: string): Promise<Known> => {
  const { readEntry } = await import('../../prompt/skills/entry.ts')
  const { filesBehind } = await import('./files-behind.ts')
  const read = await readEntry(text, { path, sha256: hash, files: filesBehind(folder, text) })
  return read.ok ? read : { ok: false, line: read.line, why: read.why }
}

const by = `${version} 1`

interface Index {
  skills: Map<string, Kept>
  /** The stamp of what was made from them. */
  made?: string
}

/** One that is broken, or of another CLEO, is none. What is in one is believed only by stamps that nobody can guess. */
const readKept = ({ files }: Host, path: string): Index => {
  try {
    const read = JSON.parse(files.read(path) ?? '') as {
      by: unknown
      skills: Record<string, Kept>
      made?: string
    }
    if (read.by === by) return { skills: new Map(Object.entries(read.skills)), made: read.made }
  } catch {
    // Made anew.
  }
  return { skills: new Map() }
}
