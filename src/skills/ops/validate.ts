import * as v from 'valibot'
import { readInside } from '../../host/safe-read.ts'
import { filesBelow, foldersIn, statAt } from '../../host/stat.ts'
import type { Finding } from '../../kernel/finding.ts'
import { resolvePath } from '../../kernel/path.ts'
import { fail } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { drawReport, reported, reportShape } from '../../operation/report.ts'
import { loadExact } from '../../prompt/budget/exact.ts'
import { openCatalogue } from '../catalogue.ts'
import { discover } from '../discover.ts'
import { type Examined, examineSkill } from '../examine.ts'
import { readSkill } from '../read-skill.ts'

interface Target {
  name: string
  path: string
  folder: string
}

export const validate = operation({
  name: 'skills.validate',
  kind: 'query',
  tier: 1,
  summary: 'Say everything that is wrong with skills, by the public rules and by ours.',
  input: v.strictObject({
    skill: v.optional(
      describe(text(500), 'a skill by name, a folder with SKILL.md, or a folder of such; all when left out'),
    ),
  }),
  output: reportShape,
  errors: ['skill.not_found', 'content.invalid'],
  needs: 'project',
  cli: {
    command: 'skills validate',
    positional: ['skill'],
    examples: ['cleo skills validate', 'cleo skills validate ./skills/deploy'],
  },
  human: drawReport('skill'),
  async run({ skill }, project) {
    const wanted = skill === undefined ? discover(project) : await named(project, skill)
    if ('ok' in wanted) return wanted
    const count = await loadExact()
    const findings = [...wanted.problems]
    const names = new Map<string, string>()
    for (const target of wanted.found) {
      const { entry, findings: own } = await examine(target, count)
      findings.push(...own)
      const other = entry && names.get(entry.name)
      const message = `has the name of ${other}, which comes first`
      if (other) findings.push({ level: 'warning', file: `${target.path}/SKILL.md`, message })
      else if (entry) names.set(entry.name, target.path)
    }
    return reported(wanted.found.length, findings)
  },
})

const named = async (project: Project, given: string) => {
  const catalogue = await openCatalogue(project)
  const skill = catalogue.find(given)
  if (!skill) return atPath(project, given) ?? fail('skill.not_found', catalogue.missing(given))
  // After this a shipped one lies on disk as well.
  if (skill.origin === 'shipped') await readSkill(project, skill)
  return { found: [{ name: basename(skill.folder), path: skill.path, folder: skill.folder }], problems: [] }
}

/** A skill, or a folder of skills. What a person names is theirs, wherever it is. */
const atPath = ({ host }: Project, given: string): { found: Target[]; problems: Finding[] } | undefined => {
  const path = given.replace(/\/(SKILL\.md)?$/, '')
  const folder = host.files.realPath(resolvePath(host.cwd, path))
  if (statAt(folder)?.kind !== 'folder') return undefined
  const inner = (foldersIn(folder) ?? []).map(({ name }): Target => {
    return { name, path: `${path}/${name}`, folder: host.files.realPath(`${folder}/${name}`) }
  })
  const isSkill = (target: Target) => statAt(`${target.folder}/SKILL.md`) !== undefined
  const itself = { name: basename(folder), path, folder }
  const targets = isSkill(itself) || inner.length === 0 ? [itself] : inner
  const problems = targets.filter((each) => !isSkill(each)).map(noSkill)
  return { found: targets.filter(isSkill), problems }
}

const noSkill = ({ path }: Target): Finding => ({ level: 'error', file: path, message: 'has no SKILL.md' })

const basename = (path: string) => path.slice(path.lastIndexOf('/') + 1)

const examine = async (
  { name, path, folder }: Target,
  count: (text: string) => number,
): Promise<Examined> => {
  const file = `${path}/SKILL.md`
  const read = readInside(folder, 'SKILL.md', 1024 * 1024)
  if (!read.ok)
    return { findings: [{ level: 'error', file, message: `${read.why}, so the skill cannot be loaded` }] }
  const files = (filesBelow(folder, 10_000) ?? []).map((each) => each.path)
  return examineSkill({ file, text: read.text, folder: name, files, tokens: count(read.text) })
}
