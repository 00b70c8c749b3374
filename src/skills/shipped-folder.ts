import { Refused } from '../kernel/result.ts'
import { joined } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import type { ShippedSkill } from './shipped.ts'

/**
 * Lays a shipped skill out on disk, where an agent can read what lies behind it. Files that are right are left alone.
 * Answers what went wrong, if anything did.
 */
export const layOut = (project: Project, folder: string, skill: ShippedSkill): string | undefined => {
  const { files } = project.host
  const wanted = [{ path: 'SKILL.md', text: joined(skill) }, ...skill.files]
  try {
    for (const { path, text } of wanted) {
      const target = `${folder}/${path}`
      if (files.read(target) !== text && !project.dryRun) files.replace(target, text, 0o600)
    }
    return undefined
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return `the files of the skill in ${folder} are not on disk: ${error.message}`
  }
}
