import * as v from 'valibot'
import { readInside } from '../../host/safe-read.ts'
import { filesBelow, foldersIn, statAt } from '../../host/stat.ts'
import type { FileFinding } from '../../kernel/file-finding.ts'
import { resolvePath } from '../../kernel/path.ts'
import { fail } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { drawFindings, findingsShape, reportFindings } from '../../operation/findings-report.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import { shellQuote } from '../../print/shell-quote.ts'
import { loadTokenizer } from '../../prompt/budget/measure.ts'
import { discoverSkills, skillsNamed } from '../discover.ts'
import { readSkill } from '../read-skill.ts'
import { findSkill } from '../skill-catalogue.ts'
import { SkillsAfter } from '../skill-summary.ts'
import { type ValidatedSkill, validateSkill } from '../validate-skill.ts'

interface ValidationTarget {
  name: string
  path: string
  folder: string
}

export const validate = operation({
  name: 'skills.validate',
  kind: 'query',
  tier: 1,
  summary: "Check skills against the Agent Skills format and CLEO's rules.",
  input: v.strictObject({
    skill: v.optional(describe(text(500), 'a skill, its folder, or a folder of skills; default: all')),
    limit: v.optional(Limit(), 20),
    after: v.optional(SkillsAfter),
  }),
  output: findingsShape,
  errors: ['skill.not_found', 'content.invalid'],
  needs: 'project',
  cli: {
    command: 'skills validate',
    positional: ['skill'],
    examples: ['cleo skills validate', 'cleo skills validate ./skills/deploy'],
  },
  human: drawFindings('skill'),
  async run({ skill, limit, after = 0 }, project) {
    const targets = skill === undefined ? discoverSkills(project) : await targetsNamed(project, skill)
    if ('ok' in targets) return targets
    const count = await loadTokenizer()
    const findings = [...targets.problems]
    const names = new Map<string, string>()
    for (const target of targets.found) {
      const { entry, findings: own } = await validateAt(target, count)
      findings.push(...own)
      const other = entry && names.get(entry.name)
      const message = `has the same name as ${other}, which takes precedence`
      if (other) findings.push({ level: 'warning', file: `${target.path}/SKILL.md`, message })
      else if (entry) names.set(entry.name, target.path)
    }
    const command = `cleo skills validate${skill === undefined ? '' : ` ${shellQuote(skill)}`}`
    return reportFindings(targets.found.length, findings, { command, noun: 'skill', limit, after })
  },
})

const targetsNamed = async (project: Project, nameOrPath: string) => {
  const broken = skillsNamed(project, nameOrPath)
  const skill = await findSkill(project, nameOrPath)
  if ('missing' in skill)
    return broken.length > 0
      ? { found: broken, problems: [] }
      : (atPath(project, nameOrPath) ?? fail('skill.not_found', skill.missing(nameOrPath)))
  // Reading a shipped skill also writes its files to disk, where they can be checked.
  if (skill.origin === 'shipped') await readSkill(project, skill)
  return { found: [{ name: basename(skill.folder), path: skill.path, folder: skill.folder }], problems: [] }
}

/** The path may be outside the project, because the caller named it. */
const atPath = (
  { host }: Project,
  named: string,
): { found: ValidationTarget[]; problems: FileFinding[] } | undefined => {
  const path = named.replace(/\/(SKILL\.md)?$/, '')
  const folder = host.files.realPath(resolvePath(host.cwd, path))
  if (statAt(folder)?.kind !== 'folder') return undefined
  const inner = (foldersIn(folder) ?? []).map(({ name }): ValidationTarget => {
    return { name, path: `${path}/${name}`, folder: host.files.realPath(`${folder}/${name}`) }
  })
  const isSkill = (target: ValidationTarget) => statAt(`${target.folder}/SKILL.md`) !== undefined
  const itself = { name: basename(folder), path, folder }
  if (isSkill(itself)) return { found: [itself], problems: [] }
  const found = inner.filter(isSkill)
  if (found.length === 0) return { found, problems: [noSkill('error', itself)] }
  const others = inner.filter((each) => !isSkill(each) && !each.name.startsWith('_'))
  return { found, problems: others.map((each) => noSkill('warning', each)) }
}

const noSkill = (level: FileFinding['level'], { path }: ValidationTarget): FileFinding => ({
  level,
  file: path,
  message: 'has no SKILL.md',
})

const basename = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const validateAt = async (
  { name, path, folder }: ValidationTarget,
  count: (text: string) => number,
): Promise<ValidatedSkill> => {
  const file = `${path}/SKILL.md`
  const read = readInside(folder, 'SKILL.md', 1024 * 1024)
  if (!read.ok)
    return { findings: [{ level: 'error', file, message: `${read.why}, so the skill cannot be loaded` }] }
  const files = (filesBelow(folder, 10_000) ?? []).map((each) => each.path)
  return validateSkill({ file, text: read.text, folder: name, files, tokens: count(read.text) })
}
