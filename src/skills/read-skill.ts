import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import { Refused, refuse } from '../kernel/result.ts'
import { normalised } from '../kernel/text.ts'
import { joinFrontMatter, splitFrontMatter } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import type { ShippedSkill, Skill } from './skill-entry.ts'

export interface SkillText {
  frontMatter: string
  body: string
  /** Shipped skills only: the body with its headings moved to deeper levels, to fit into a prompt. */
  demoted?: string
  /** The text files that SKILL.md refers to, in path order. Empty unless the caller requests them. */
  references: { path: string; text: string }[]
  warnings: string[]
}

interface ReadOptions {
  references?: boolean
}

const mostBytes = { main: 1024 * 1024, reference: 256 * 1024, references: 1024 * 1024 }

/** Reading a shipped skill also writes it to disk, so that agents can read its other files. */
export const readSkill = (project: Project, skill: Skill, options: ReadOptions = {}): Promise<SkillText> =>
  skill.origin === 'shipped' ? readShipped(project, skill, options) : readOwn(skill, options)

const readShipped = async (
  project: Project,
  { name, folder }: Skill,
  options: ReadOptions,
): Promise<SkillText> => {
  const { loadShipped } = await import('./generated/skills.ts')
  const skill = (await loadShipped(name))!
  const { frontMatter, body, demoted, files } = skill
  const problem = writeShipped(project, folder, skill)
  const warnings = problem ? [problem] : []
  if (!options.references) return { frontMatter, body, demoted, references: [], warnings }
  const { linkedFiles } = await import('./referenced-files.ts')
  const linked = linkedFiles(body)
  const references = files.filter(({ path }) => path.startsWith('references/') || linked.includes(path))
  return { frontMatter, body, demoted, references, warnings }
}

/**
 * Writes the files of a shipped skill that are missing on the disk or have other content there. Returns a warning
 * if they cannot be written.
 */
const writeShipped = (project: Project, folder: string, skill: ShippedSkill): string | undefined => {
  const { files } = project.host
  const all = [{ path: 'SKILL.md', text: joinFrontMatter(skill) }, ...skill.files]
  try {
    for (const { path, text } of all) {
      const target = `${folder}/${path}`
      if (files.read(target) !== text && !project.dryRun) files.replace(target, text, 0o600)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return `the files of the skill in ${folder} could not be written: ${error.message}`
  }
}

const readOwn = async (
  { name, folder, sha256: known, trust }: Skill,
  options: ReadOptions,
): Promise<SkillText> => {
  const path = `${folder}/SKILL.md`
  const read = readInside(folder, 'SKILL.md', mostBytes.main)
  if (!read.ok) return refuse('file.unreadable', { path, reason: `it ${read.why}` })
  // Refuse if the file was replaced after its trust was checked.
  if (trust === 'trusted' && sha256(read.text) !== known)
    return refuse('file.unreadable', {
      path,
      reason: 'it changed while CLEO was reading it; run the command again',
    })
  const divided = splitFrontMatter(normalised(read.text))
  if (!divided.ok) return refuse('file.unreadable', { path, reason: `it ${divided.why}` })
  const { frontMatter, body } = divided
  if (!options.references) return { frontMatter, body, references: [], warnings: [] }
  const { referencedFiles } = await import('./referenced-files.ts')
  const { paths, more } = referencedFiles(folder, body)
  const { references, warnings } = readReferences(name, folder, paths)
  return { frontMatter, body, references, warnings: [...tooManyFiles(name, more), ...warnings] }
}

const tooManyFiles = (name: string, more: number | true): string[] => {
  if (more === 0) return []
  const what = more === true ? 'all files in references/' : `${more} reference files`
  return [`${what} of skill ${name} were left out: there are more than the 200 that a prompt may take`]
}

const readReferences = (
  name: string,
  folder: string,
  paths: readonly string[],
): Pick<SkillText, 'references' | 'warnings'> => {
  const references: SkillText['references'] = []
  const warnings: string[] = []
  let left = mostBytes.references
  for (const path of paths) {
    const read = readInside(folder, path, mostBytes.reference)
    if (!read.ok && read.why === 'is not text') continue
    if (!read.ok) warnings.push(`${path} of skill ${name} ${read.why} and was left out`)
    else if (read.text.length > left)
      warnings.push(`${path} of skill ${name} was left out: its references exceed 1 MiB`)
    else {
      left -= read.text.length
      references.push({ path, text: normalised(read.text) })
    }
  }
  return { references, warnings }
}
