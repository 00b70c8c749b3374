import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import { openCatalogue } from '../skill-catalogue.ts'
import {
  drawSkills,
  pageFrom,
  problemWarnings,
  SkillsAfter,
  skillSummary,
  toSummaryWithPurpose,
} from '../skill-summary.ts'

export const list = operation({
  name: 'skills.list',
  kind: 'query',
  tier: 1,
  summary: 'List skills with their origin and the skills that they override.',
  input: v.strictObject({ limit: v.optional(Limit(), 50), after: v.optional(SkillsAfter) }),
  output: () => v.object({ skills: v.array(skillSummary()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'skills list', suggestedFor: ['skill'], examples: ['cleo skills list'] },
  human: ({ skills }, style) => drawSkills(skills, style),
  async run({ limit, after }, project) {
    const catalogue = await openCatalogue(project)
    const { shown, page } = pageFrom(catalogue.list(), limit, after)
    return ok(
      { skills: shown.map(toSummaryWithPurpose) },
      { page, warnings: problemWarnings(catalogue.problems) },
    )
  },
})
