import { readInside } from '../host/safe-read.ts'
import { hmacSha256, sha256 } from '../host/sha256.ts'
import { type FileStat, statAt } from '../host/stat.ts'
import { Refused } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import type { Project } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import type { DiscoveredSkill } from './discover.ts'
import type { SkillEntry } from './skill-entry.ts'

export type CachedEntry = { ok: true; entry: SkillEntry } | { ok: false; line?: number; why: string }

export interface EntryCache {
  /** Reads SKILL.md only if its stat data changed, and parses it only if its text changed. */
  entry(found: DiscoveredSkill): Promise<CachedEntry>
  /** Whether `entry` was called for a skill whose cached entry is missing or out of date. */
  isChanged(): boolean
  /** Whether the skills or `skills/manifest.json` have changed since the cache was saved. */
  isStale(found: readonly DiscoveredSkill[], manifest: FileStat | undefined): boolean
  save(found: readonly DiscoveredSkill[], manifest: FileStat | undefined): void
}

/**
 * The cached entry of one skill. It is valid as long as `stamp` and `source` are unchanged. `stamp` comes from the
 * stat data of SKILL.md.
 */
interface CachedSkill {
  stamp: string
  /** Other facts on which the entry depends: the skill's path and the stamp of its folder `references`. */
  source: string
  sha256: string
  known: CachedEntry
}

const mostBytes = 1024 * 1024
/**
 * The resolution of file times, in milliseconds. If a file changes twice within this time, its stamp can stay the
 * same. So CLEO trusts a stamp only if the file had been unchanged for longer than this when the cache was saved.
 */
const timeStep = 20

/**
 * Opens `.cleo/cache/skills.json`, which holds parsed entries. Without this file, commands only take longer. If `only`
 * is the folder of a skill, CLEO parses only the entry of this skill. Do not save such a cache, because it lacks the
 * other entries.
 */
export const openEntryCache = (project: Project, only?: string): EntryCache => {
  const path = `${project.folder}/cache/skills.json`
  let cache: Cache | undefined
  let changed = false
  const current = (found: readonly DiscoveredSkill[]) => {
    const folders = new Set(found.map((each) => each.folder))
    return [...(cache?.skills ?? [])].filter(([each]) => folders.has(each))
  }

  return {
    async entry(found) {
      cache ??= await readCache(project, path, only)
      const { skills, written } = cache
      const { main } = found
      const references = statAt(`${found.folder}/references`)
      const cached = skills.get(found.folder)
      const [stamp, source] = [main.stamp, `${found.path} ${references?.stamp}`]
      const isOldEnough = (each?: FileStat) => !each || each.changed + timeStep < written
      if (cached?.stamp === stamp && cached.source === source && isOldEnough(main) && isOldEnough(references))
        return cached.known
      const read = readInside(found.folder, 'SKILL.md', mostBytes)
      if (!read.ok) return { ok: false, why: read.why }
      const hash = sha256(read.text)
      const same = cached?.sha256 === hash && cached.source === source
      const known = same ? cached.known : await parse(found, read.text, hash)
      skills.set(found.folder, { stamp, source, sha256: hash, known })
      changed = true
      return known
    },
    isChanged: () => changed,
    isStale: (found, manifest) =>
      !cache || changed || current(found).length !== cache.skills.size || manifest?.stamp !== cache.made,
    save(found, manifest) {
      if (project.dryRun || !cache?.seal) return
      try {
        project.host.files.replace(path, cacheText(current(found), manifest?.stamp, cache.seal), 0o600)
      } catch (error) {
        // Ignore a cache that cannot be written: the next command only takes longer.
        if (!(error instanceof Refused)) throw error
      }
    },
  }
}

/** Imports the parser only here, because most commands parse no skill. */
const parse = async ({ path, folder }: DiscoveredSkill, text: string, hash: string): Promise<CachedEntry> => {
  const { readSkillEntry } = await import('./skill-entry.ts')
  const { referencedFiles } = await import('./referenced-files.ts')
  const read = await readSkillEntry(text, { path, sha256: hash, files: referencedFiles(folder, text).paths })
  return read.ok ? read : { ok: false, line: read.line, why: read.why }
}

const cacheVersion = `${version} 2`

/**
 * Returns the text of the cache: the signature of the whole file, the stamp of `skills/manifest.json`, then one
 * line per skill. Each line has its own signature, so that one skill can be read without parsing the other lines.
 */
const cacheText = (
  skills: readonly (readonly [string, CachedSkill])[],
  made: string | undefined,
  seal: Seal,
): string => {
  const lines = skills.map((each) => {
    const text = JSON.stringify(each)
    return `${seal(text)} ${text}`
  })
  const text = [made ?? '', ...lines].join('\n')
  return `${seal(text)}\n${text}`
}

interface Cache {
  skills: Map<string, CachedSkill>
  /** The stamp of `skills/manifest.json` when the cache was saved. */
  made?: string
  /** When the cache was saved, by the clock of the file system. */
  written: number
  /** Missing if the project has no usable secret. In that case the cache is not saved. */
  seal?: Seal
}

/** A cache that is corrupt, was edited or was saved by another version counts as empty. */
const readCache = async (project: Project, path: string, only?: string): Promise<Cache> => {
  const seal = await sealOf(project)
  const empty = { skills: new Map(), written: 0, ...(seal && { seal }) }
  const seen = statAt(path)
  if (!seal || seen?.kind !== 'file') return empty
  try {
    const text = project.host.files.read(path) ?? ''
    const saved = only === undefined ? allLines(text, seal) : lineOf(text, only, seal)
    return saved ? { ...empty, ...saved, written: seen.changed } : empty
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return empty
  }
}

const allLines = (whole: string, seal: Seal): Pick<Cache, 'skills' | 'made'> | undefined => {
  const end = whole.indexOf('\n')
  const text = whole.slice(end + 1)
  if (end < 0 || whole.slice(0, end) !== seal(text)) return undefined
  const [made, ...lines] = text.split('\n')
  const skills = lines.map((line) => JSON.parse(line.slice(line.indexOf(' ') + 1)) as [string, CachedSkill])
  return { skills: new Map(skills), ...(made && { made }) }
}

const lineOf = (whole: string, folder: string, seal: Seal): Pick<Cache, 'skills'> | undefined => {
  const at = whole.indexOf(` [${JSON.stringify(folder)},`)
  const end = whole.indexOf('\n', at)
  const text = whole.slice(at + 1, end < 0 ? undefined : end)
  if (at < 0 || whole.slice(whole.lastIndexOf('\n', at) + 1, at) !== seal(text)) return undefined
  return { skills: new Map([JSON.parse(text) as [string, CachedSkill]]) }
}

type Seal = (text: string) => string

/**
 * Makes the function that signs the cache, so that CLEO ignores a cache that was edited or came with a clone. A
 * clone can also contain the file with the secret. So the signature includes the times and the inode of that file,
 * which differ in a clone.
 */
const sealOf = async (project: Project): Promise<Seal | undefined> => {
  const path = `${project.folder}/secret`
  const existing = statAt(path)
  if (existing ? existing.kind !== 'file' : project.dryRun) return undefined
  try {
    const secret = await projectSecret(project)
    const stamp = statAt(path)?.stamp
    return secret && stamp ? (text) => hmacSha256(secret, [cacheVersion, stamp, text]) : undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return undefined
  }
}
