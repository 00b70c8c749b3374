import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { Limit } from '../../operation/paging.ts'
import { openCatalogue } from '../catalogue.ts'
import { wordsOf } from '../dispatch/words.ts'
import type { Entry } from '../entry.ts'
import { drawSkills, From, lineShape, pageFrom, toListed } from '../line.ts'

export const find = operation({
  name: 'skills.find',
  kind: 'query',
  tier: 1,
  summary: 'Find skills by the words in name, tags, triggers and description.',
  input: v.strictObject({
    query: describe(text(200), 'words, each the start of one in the text'),
    limit: v.optional(Limit, 20),
    after: v.optional(From),
  }),
  output: () => v.object({ skills: v.array(lineShape()) }),
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
    return ok({ skills: shown.map(({ skill }) => toListed(skill)) }, { page })
  },
})

const split = (text: string): string[] => wordsOf(text.replace(/[-_./]/g, ' '))

/** Where the worst placed of the words stands: name, tags and triggers, description; -1 where one is nowhere. */
const rankOf = ({ name, tags, capabilities, description }: Entry, words: readonly string[]): number => {
  const fields = [[name], [...tags, ...capabilities.dispatch_triggers], [description]].map((texts) =>
    split(texts.join(' ')),
  )
  const places = words.map((word) => fields.findIndex((field) => field.some((each) => each.startsWith(word))))
  return words.length === 0 || places.includes(-1) ? -1 : Math.max(...places)
}
