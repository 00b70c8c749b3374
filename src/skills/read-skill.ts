import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import { refuse } from '../kernel/result.ts'
import { divide } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import type { Skill } from './catalogue.ts'
import { layOut } from './shipped-folder.ts'

export interface SkillText {
  frontMatter: string
  body: string
  /** Of a shipped one: the body with its headings below those of a prompt. */
  demoted?: string
  /** Text files behind SKILL.md, in path order; none unless asked for. */
  references: { path: string; text: string }[]
  /** What was left out, and why. */
  warnings: string[]
}

interface Wanted {
  references?: boolean
}

const most = { main: 1024 * 1024, reference: 256 * 1024, references: 1024 * 1024 }

/** The text of a skill; that of a shipped one lies on disk afterwards. */
export const readSkill = (project: Project, skill: Skill, wanted: Wanted = {}): Promise<SkillText> =>
  skill.origin === 'shipped' ? readShipped(project, skill, wanted) : readOwn(skill, wanted)

const readShipped = async (project: Project, { name, folder }: Skill, wanted: Wanted): Promise<SkillText> => {
  const { loadShipped } = await import('./generated/skills.ts')
  const skill = (await loadShipped(name))!
  const { frontMatter, body, demoted, files } = skill
  const problem = layOut(project, folder, skill)
  const warnings = problem ? [problem] : []
  if (!wanted.references) return { frontMatter, body, demoted, references: [], warnings }
  const { linkedFiles } = await import('./links.ts')
  const linked = linkedFiles(body)
  const references = files.filter(({ path }) => path.startsWith('references/') || linked.includes(path))
  return { frontMatter, body, demoted, references, warnings }
}

const readOwn = async ({ name, folder, sha256: known, trust }: Skill, wanted: Wanted): Promise<SkillText> => {
  const path = `${folder}/SKILL.md`
  const read = readInside(folder, 'SKILL.md', most.main)
  if (!read.ok) return refuse('file.unreadable', { path, reason: `it ${read.why}` })
  // A yes was said to a certain text: one that came in its place since is not read under it.
  if (trust === 'trusted' && sha256(read.text) !== known)
    return refuse('file.unreadable', { path, reason: 'it was changed meanwhile; run the command again' })
  const divided = divide(read.text)
  if (!divided.ok) return refuse('file.unreadable', { path, reason: `it ${divided.why}` })
  const { frontMatter, body } = divided
  if (!wanted.references) return { frontMatter, body, references: [], warnings: [] }
  const { filesBehind } = await import('./files-behind.ts')
  return { frontMatter, body, ...readReferences(name, folder, filesBehind(folder, body)) }
}

const readReferences = (
  name: string,
  folder: string,
  paths: readonly string[],
): Pick<SkillText, 'references' | 'warnings'> => {
  const references: SkillText['references'] = []
  const warnings: string[] = []
  let left = most.references
  for (const path of paths) {
    const read = readInside(folder, path, most.reference)
    if (!read.ok && read.why === 'is not text') continue
    if (!read.ok) warnings.push(`${path} of skill ${name} ${read.why} and was left out`)
    else if (read.text.length > left)
      warnings.push(`${path} of skill ${name} was left out: there is too much behind it`)
    else {
      left -= read.text.length
      references.push({ path, text: read.text })
    }
  }
  return { references, warnings }
}
