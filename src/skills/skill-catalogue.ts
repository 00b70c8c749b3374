import type { FileFinding } from '../kernel/file-finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'
import { type TrustState, trustedHashes } from '../project/trust-records.ts'
import { type DiscoveredSkill, discoverSkills } from './discover.ts'
import { openEntryCache } from './entry-cache.ts'
import { hashFolder } from './folder-hash.ts'
import { manifestStat, updateManifest } from './manifest-file.ts'
import type { Skill } from './skill-entry.ts'

export interface Catalogue {
  /** One skill of each name: the first found. */
  list(): Skill[]
  find(name: string): Skill | undefined
  /** Every skill of a name; the first takes precedence. */
  all(name: string): readonly Skill[]
  /** The details of a refusal: the unknown name and the nearest known name. */
  missing(name: string): { name: string; near?: string }
  /** The refusal for a prompt that requests an unknown skill. */
  notFound(name: string): Failure<'skill.missing'>
  /** What is wrong with the skills that were found. */
  problems: FileFinding[]
}

/** Finds the skills of the project, the user and CLEO. Parses only SKILL.md files that are new or changed. */
export const openCatalogue = async (project: Project): Promise<Catalogue> => {
  const { found, problems } = discoverSkills(project)
  // If the last skill was removed, the manifest still has to be updated.
  const installed =
    found.length > 0 || manifestStat(project) ? await readInstalled(project, found, problems) : []
  const { shippedEntries } = await import('./generated/skills.ts')
  const shipped = shippedEntries.map(
    (entry): Skill => ({
      ...entry,
      origin: 'shipped',
      folder: `${project.folder}/content/${entry.sha256.slice(0, 8)}/skills/${entry.name}`,
      trust: 'trusted',
      shadows: [],
    }),
  )
  return catalogueOf([...installed, ...shipped], problems)
}

/** Reading fewer skills takes no time that is worth showing. */
const manySkills = 100

const readInstalled = async (
  project: Project,
  found: readonly DiscoveredSkill[],
  problems: FileFinding[],
): Promise<Skill[]> => {
  const cache = openEntryCache(project)
  const recorded = trustedHashes(project)
  const skills: Skill[] = []
  const tell = found.length > manySkills ? reporting(project, 'reading skills') : undefined
  for (const [i, each] of found.entries()) {
    if (i % manySkills === 0) await tell?.({ count: i, total: found.length })
    const { folder, origin, path, name } = each
    const known = await cache.entry(each)
    const report = (message: string, line?: number) =>
      void problems.push({ level: 'error', file: `${path}/SKILL.md`, ...(line && { line }), message })
    if (!known.ok) {
      report(known.why, known.line)
      continue
    }
    if (known.entry.name !== name) report(`the name "${known.entry.name}" differs from its folder, "${name}"`)
    const trustedHash = origin === 'project' ? recorded(`skill:${path}`) : undefined
    skills.push(withTrust({ ...known.entry, origin, folder, shadows: [] }, trustedHash))
  }
  if (cache.isStale(found, manifestStat(project))) {
    updateManifest(project, skills)
    cache.save(found, manifestStat(project))
  }
  return skills
}

/** Trust is computed on first use: a spawn needs it for one skill, not for all. */
const withTrust = (skill: Omit<Skill, 'trust'>, trustedHash: string | undefined): Skill => {
  let known: TrustState | undefined = skill.origin === 'user' ? 'trusted' : trustedHash ? undefined : 'new'
  return {
    ...skill,
    get trust() {
      known ??= hashFolder(skill.folder)?.sha256 === trustedHash ? 'trusted' : 'changed'
      return known
    },
  }
}

const catalogueOf = (skills: readonly Skill[], problems: FileFinding[]): Catalogue => {
  const byName = new Map<string, Skill[]>()
  for (const skill of skills) {
    const same = byName.get(skill.name)
    if (!same) byName.set(skill.name, [skill])
    else {
      same[0]!.shadows.push(skill.origin === 'shipped' ? 'shipped' : skill.path)
      same.push(skill)
    }
  }
  const find = (name: string) => byName.get(name)?.[0]
  const missing = (name: string) => ({ name, near: nearest(name, byName.keys()) })
  return {
    list: () => [...byName.values()].map(([first]) => first!),
    find,
    all: (name) => byName.get(name) ?? [],
    missing,
    notFound: (name) => fail('skill.missing', missing(name)),
    problems,
  }
}
