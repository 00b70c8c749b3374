import * as v from 'valibot'
import { fail, ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import {
  isMadeByCleo,
  isSkillIndex,
  manifestPath,
  manifestSkills,
  manifestStat,
  manifestText,
  mayWrite,
} from '../manifest-file.ts'
import { openCatalogue } from '../skill-catalogue.ts'
import { problemWarnings } from '../skill-summary.ts'

export const index = operation({
  name: 'skills.index',
  kind: 'mutate',
  tier: 1,
  summary: "Write skills/manifest.json, the index of the project's skills.",
  input: v.strictObject({}),
  output: () =>
    v.object({ path: v.string(), skills: v.array(v.string()), noChange: v.optional(v.literal(true)) }),
  errors: ['file.exists', 'file.unwritable'],
  needs: 'project',
  cli: { command: 'skills index', examples: ['cleo skills index'] },
  human: ({ path, skills, noChange }, style) => [
    `${style.cyan(path)} ${noChange ? 'is up to date' : 'written'}: ${skills.length} ${skills.length === 1 ? 'skill' : 'skills'}`,
  ],
  async run(_, project) {
    const { files } = project.host
    const path = `${project.root}/${manifestPath}`
    const catalogue = await openCatalogue(project)
    const text = manifestText(catalogue.list())
    const kind = manifestStat(project)?.kind
    const current = kind === 'file' ? files.read(path) : undefined
    if (kind !== undefined && kind !== 'file') return fail('file.exists', { path: manifestPath })
    if (current !== undefined && !isMadeByCleo(current) && !isSkillIndex(current))
      return fail('file.exists', { path: manifestPath })
    if (!mayWrite(project))
      return fail('file.unwritable', { path: manifestPath, reason: 'its folder is a link' })
    const answer = { path: manifestPath, skills: manifestSkills(catalogue.list()).map(({ name }) => name) }
    const warnings = problemWarnings(catalogue.problems)
    if (current === text) return ok({ ...answer, noChange: true as const }, { warnings })
    if (!project.dryRun) {
      files.makeFolder(`${project.root}/skills`, 0o755)
      files.replace(path, text, 0o644)
    }
    return ok(answer, { warnings })
  },
})
