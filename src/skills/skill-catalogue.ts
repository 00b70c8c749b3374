import type { FileFinding } from '../kernel/file-finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { reporting } from '../operation/progress.ts'
import { type TrustState, trustedHashes } from '../project/trust-records.ts'
import type { MissingSkill } from '../refusals/skills.ts'
import { type DiscoveredSkill, discoverSkills, skillsNamed } from './discover.ts'
import { type EntryCache, openEntryCache } from './entry-cache.ts'
import { hashFolder, isCopyOf } from './folder-hash.ts'
import { manifestStat, updateManifest } from './manifest-file.ts'
import type { Skill } from './skill-entry.ts'

export interface Catalogue {
  /** Returns one skill for each name: the one that takes precedence. */
  list(): Skill[]
  find(name: string): Skill | undefined
  /** Returns every skill with this name. The first one takes precedence. */
  all(name: string): readonly Skill[]
  /** Returns the details for a refusal: the nearest known name, or why the skill cannot be loaded. */
  missing(name: string): MissingSkill
  notFound(name: string): Failure<'skill.missing'>
  problems: FileFinding[]
}

/** Parses only SKILL.md files that are new or changed. */
export const openCatalogue = async (project: Project): Promise<Catalogue> => {
  const { found, problems } = discoverSkills(project)
  // If `skills/manifest.json` exists, continue even without skills: the file must be updated after the last skill
  // was removed.
  const installed =
    found.length > 0 || manifestStat(project) ? await readInstalled(project, found, problems) : []
  return catalogueOf([...installed, ...(await shippedSkills(project))], problems)
}

/**
 * Reads only folders with the skill's name, so that the time does not depend on the number of skills. If none of these
 * folders has the skill, or if a skill in them has changed since it was cached, opens the whole catalogue. That updates
 * the cache and `skills/manifest.json`.
 */
export const findSkill = async (
  project: Project,
  name: string,
): Promise<Skill | Pick<Catalogue, 'missing'>> => {
  const skills: Skill[] = []
  let isChanged = false
  for (const each of skillsNamed(project, name)) {
    const cache = openEntryCache(project, each.folder)
    skills.push(...(await readEntries(project, [each], [], cache)))
    isChanged ||= cache.isChanged()
  }
  const found = catalogueOf([...skills, ...(await shippedSkills(project))], []).find(name)
  if (found && !isChanged) return found
  const whole = await openCatalogue(project)
  // The whole catalogue lists only a limited number of skills per folder. A skill beyond that limit is only in
  // `found`.
  return whole.find(name) ?? found ?? whole
}

const shippedSkills = async (project: Project): Promise<Skill[]> => {
  const { shippedEntries } = await import('./generated/skills.ts')
  return shippedEntries.map((entry) => ({
    ...entry,
    origin: 'shipped',
    folder: `${project.folder}/content/${entry.sha256.slice(0, 8)}/skills/${entry.name}`,
    trust: 'trusted',
    shadows: [],
  }))
}

/** Progress is shown only for more skills than this, because reading fewer takes no noticeable time. */
const manySkills = 100

const readInstalled = async (
  project: Project,
  found: readonly DiscoveredSkill[],
  problems: FileFinding[],
): Promise<Skill[]> => {
  const cache = openEntryCache(project)
  const skills = await readEntries(project, found, problems, cache)
  if (cache.isStale(found, manifestStat(project))) {
    updateManifest(project, skills)
    cache.save(found, manifestStat(project))
  }
  return skills
}

const readEntries = async (
  project: Project,
  found: readonly DiscoveredSkill[],
  problems: FileFinding[],
  cache: EntryCache,
): Promise<Skill[]> => {
  const recorded = trustedHashes(project)
  const { shippedEntries } = await import('./generated/skills.ts')
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
    if (known.entry.name !== name)
      report(`has the name "${known.entry.name}", which differs from its folder, "${name}"`)
    const trustedHash = origin === 'project' ? recorded(`skill:${path}`) : undefined
    const shipped = shippedEntries.find((entry) => entry.name === name)?.sha256
    skills.push(withTrust({ ...known.entry, origin, folder, shadows: [] }, trustedHash, shipped))
  }
  return skills
}

/**
 * The trust state is computed on first use, because a spawn needs it for one skill only. An exact copy of a shipped
 * skill is trusted, because `cleo setup` writes such copies for clients.
 */
const withTrust = (
  skill: Omit<Skill, 'trust'>,
  trustedHash: string | undefined,
  shipped: string | undefined,
): Skill => {
  let known: TrustState | undefined =
    skill.origin === 'user' ? 'trusted' : trustedHash || shipped ? undefined : 'new'
  return {
    ...skill,
    get trust() {
      known ??= isCopyOf(skill.folder, shipped)
        ? 'trusted'
        : trustedHash === undefined
          ? 'new'
          : hashFolder(skill.folder)?.sha256 === trustedHash
            ? 'trusted'
            : 'changed'
      return known
    },
  }
}

const catalogueOf = (skills: readonly Skill[], problems: FileFinding[]): Catalogue => {
  const byName = new Map<string, Skill[]>()
  // Put a skill last if its folder has another name than the skill. `findSkill` looks only in folders with the skill's
  // name, and it must find the same skill as this catalogue.
  for (const skill of [...skills.filter(hasOwnFolder), ...skills.filter((each) => !hasOwnFolder(each))]) {
    const same = byName.get(skill.name)
    if (!same) byName.set(skill.name, [skill])
    else {
      same[0]!.shadows.push(skill.origin === 'shipped' ? 'shipped' : skill.path)
      same.push(skill)
    }
  }
  const find = (name: string) => byName.get(name)?.[0]
  const missing = (name: string) => {
    const broken = brokenSkill(name, problems)
    return broken ? { name, broken } : { name, near: nearest(name, byName.keys()) }
  }
  return {
    list: () => [...byName.values()].map(([first]) => first!),
    find,
    all: (name) => byName.get(name) ?? [],
    missing,
    notFound: (name) => fail('skill.missing', missing(name)),
    problems,
  }
}

const hasOwnFolder = ({ name, path }: Skill): boolean => path.endsWith(`/${name}`)

const brokenSkill = (name: string, problems: readonly FileFinding[]): MissingSkill['broken'] => {
  const found = problems.find(({ file, message }) => {
    const folder = file.replace(/\/SKILL\.md$/, '')
    return folder.endsWith(`/${name}`) || message.startsWith(`has the name "${name}"`)
  })
  if (!found) return undefined
  const { file, line, message } = found
  const folder = file.replace(/\/SKILL\.md$/, '')
  return {
    folder: folder.slice(folder.lastIndexOf('/') + 1),
    why: `${file}${line ? `:${line}` : ''} ${message}`,
  }
}
