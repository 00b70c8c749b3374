import type { Finding } from '../kernel/finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { type Failure, fail } from '../kernel/result.ts'
import type { Project } from '../operation/context.ts'
import { recordedOf, type TrustState } from '../project/trust-records.ts'
import { discover, type Found } from './discover.ts'
import type { Entry } from './entry.ts'
import { keepManifest, manifestSeen } from './manifest.ts'
import { treeOf } from './tree.ts'
import { openWorkingIndex } from './working-index.ts'

export interface Skill extends Entry {
  origin: 'project' | 'user' | 'shipped'
  /** Absolute. That of a shipped skill is made when the skill is read. */
  folder: string
  /** Asking for it reads all files of a project's own skill that somebody has said yes to. */
  readonly trust: TrustState
  /** Of a shipped one: the tokens of its SKILL.md, counted when CLEO was built. */
  tokens?: number
  /** Where the others of this name are. */
  shadows: string[]
}

export interface Catalogue {
  /** One of each name: the first that was found. */
  list(): Skill[]
  find(name: string): Skill | undefined
  /** All of a name, in the order in which they win. */
  all(name: string): readonly Skill[]
  /** A name that none has, and the nearest one that there is. */
  missing(name: string): { name: string; near?: string }
  /** For whoever wanted it in a prompt. */
  notFound(name: string): Failure<'skill.missing'>
  /** What is wrong with what was found. */
  problems: Finding[]
}

/** Every skill of the project, of its user and of CLEO, with what is known of each; none is parsed that has not changed. */
export const openCatalogue = async (project: Project): Promise<Catalogue> => {
  const { found, problems } = discover(project)
  // Without skills there still may be an index of them.
  const own = found.length > 0 || manifestSeen(project) ? await readFound(project, found, problems) : []
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
  return catalogueOf([...own, ...shipped], problems)
}

const readFound = async (
  project: Project,
  found: readonly Found[],
  problems: Finding[],
): Promise<Skill[]> => {
  const index = openWorkingIndex(project)
  const recorded = recordedOf(project)
  const skills: Skill[] = []
  for (const each of found) {
    const { folder, origin, path, name } = each
    const known = await index.entry(each)
    const report = (message: string, line?: number) =>
      void problems.push({ level: 'error', file: `${path}/SKILL.md`, ...(line && { line }), message })
    if (!known.ok) {
      report(known.why, known.line)
      continue
    }
    if (known.entry.name !== name)
      report(`the name "${known.entry.name}" is not that of its folder, "${name}"`)
    const yes = origin === 'project' ? recorded(`skill:${path}`) : undefined
    skills.push(withTrust({ ...known.entry, origin, folder, shadows: [] }, yes))
  }
  if (index.isStale(found, manifestSeen(project))) {
    keepManifest(project, skills)
    index.keep(found, manifestSeen(project))
  }
  return skills
}

/** Looked into when it is asked for: of fifty skills a spawn wants to know it of one. */
const withTrust = (skill: Omit<Skill, 'trust'>, recorded: string | undefined): Skill => {
  let known: TrustState | undefined = skill.origin === 'user' ? 'trusted' : recorded ? undefined : 'new'
  return {
    ...skill,
    get trust() {
      known ??= treeOf(skill.folder)?.sha256 === recorded ? 'trusted' : 'changed'
      return known
    },
  }
}

const catalogueOf = (skills: readonly Skill[], problems: Finding[]): Catalogue => {
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
