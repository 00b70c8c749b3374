import { readInside } from '../host/safe-read.ts'
import type { Project } from '../operation/context.ts'
import type { Trustable } from '../project/trust-records.ts'
import { type DiscoveredSkill, discoverSkills } from '../skills/discover.ts'
import { hashFolder, isCopyOf } from '../skills/folder-hash.ts'
import { shippedEntries } from '../skills/generated/skills.ts'
import { readHead } from '../skills/skill-fields.ts'

const mostBytes = 1024 * 1024

/** Returns the project's skills, each with its name and the skill that it replaces. */
export const skillItems = async (project: Project): Promise<Trustable[]> => {
  // Also search untrusted folders that the configuration names, so that a person sees these folders together with
  // their skills.
  const { found } = discoverSkills({
    ...project,
    config: { ...project.config, skills: project.written.skills },
  })
  const named = await Promise.all(found.map(async (skill) => ({ skill, name: await nameOf(skill) })))
  return named.flatMap(({ skill, name }, i): Trustable[] => {
    if (skill.origin !== 'project') return []
    if (isCopyOf(skill.folder, shippedEntries.find((each) => each.name === skill.name)?.sha256)) return []
    const hash = hashFolder(skill.folder)
    const content = hash
      ? `${hash.files} ${hash.files === 1 ? 'file' : 'files'}, ${sizeText(hash.bytes)}`
      : 'too many files, or one that cannot be read'
    const sameName = (others: typeof named) => others.filter((each) => name && each.name === name)
    const [first] = sameName(named.slice(0, i))
    const replaced = [
      ...(shippedEntries.some((each) => each.name === name) ? [`the shipped ${name}`] : []),
      ...sameName(named.slice(i + 1)).map((each) => each.skill.path),
    ]
    const role = [
      ...(name && name !== skill.name ? [`acts as ${name}`] : []),
      ...(first
        ? [`used only if ${first.skill.path} is not`]
        : replaced.length > 0
          ? [`replaces ${replaced.join(' and ')}`]
          : []),
    ]
    return [{ kind: 'skill', name: skill.path, what: [...role, content].join('; '), sha256: hash?.sha256 }]
  })
}

const nameOf = async ({ folder }: DiscoveredSkill): Promise<string | undefined> => {
  const read = readInside(folder, 'SKILL.md', mostBytes)
  const head = read.ok ? await readHead(read.text) : undefined
  return head?.ok ? head.fields.get('name')?.text?.trim() : undefined
}

export const sizeText = (bytes: number): string =>
  bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KiB`
