import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import { wordsOf } from '../phrases.ts'
import { openCatalogue } from '../skill-catalogue.ts'
import type { SkillEntry } from '../skill-entry.ts'
import { drawSkills, pageFrom, SkillsAfter, skillSummary, toSummaryWithPurpose } from '../skill-summary.ts'

export const find = operation({
  name: 'skills.find',
  kind: 'query',
  tier: 1,
  summary: 'Find skills by the words in name, tags, triggers and description.',
  input: v.strictObject({
    query: describe(text(200), 'words or beginnings of words'),
    limit: v.optional(Limit(), 20),
    after: v.optional(SkillsAfter),
  }),
  output: () => v.object({ skills: v.array(skillSummary()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'skills find', positional: ['query'], examples: ['cleo skills find research'] },
  human: ({ skills }, style) => drawSkills(skills, style),
  async run({ query, limit, after }, project) {
    const words = split(query)
    const ranked = (await openCatalogue(project))
      .list()
      .map((skill) => ({ skill, rank: rankOf(skill, words) }))
      .filter(({ rank }) => rank >= 0)
      .sort((a, b) => a.rank - b.rank)
    const { shown, page } = pageFrom(ranked, limit, after)
    return ok({ skills: shown.map(({ skill }) => toSummaryWithPurpose(skill)) }, { page })
  },
})

const split = (text: string): string[] => wordsOf(text.replace(/[-_./]/g, ' '))

/**
 * Ranks each search word: 0 if it is in the name, 1 if it is in tags or triggers, 2 if it is in the description.
 * Returns the worst of these ranks, or -1 if a word is in none of these fields.
 */
const rankOf = ({ name, tags, capabilities, description }: SkillEntry, words: readonly string[]): number => {
  const fields = [[name], [...tags, ...capabilities.dispatch_triggers], [description]].map((texts) =>
    split(texts.join(' ')),
  )
  const ranks = words.map((word) => fields.findIndex((field) => field.some((each) => each.startsWith(word))))
  return words.length === 0 || ranks.includes(-1) ? -1 : Math.max(...ranks)
}
