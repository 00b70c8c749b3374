import { base } from './base.ts'
import { entriesIn, sectionOf } from './output-text.ts'
import {
  agentType,
  count,
  entryRule,
  fail,
  notApplicable,
  pass,
  passUnless,
  type Rules,
  respawnFix,
  textRule,
  textsOf,
  workRule,
} from './ruling.ts'

export const research: Rules = {
  'RSCH-001': ({ changed }) => {
    if (!changed) return notApplicable('it had no worktree')
    const outside = changed.filter(({ output }) => !output).map(({ path }) => path)
    return passUnless(
      outside.map((path) => `${path} was changed`),
      `${count(changed.length, 'file')} changed, all of them output`,
    )
  },

  'RSCH-002': textRule((text, facts) => {
    const section = sectionOf(text, ['references'])
    if (section === undefined) return fail('there is no section References', respawnFix(facts))
    const sources = entriesIn(section)
    return sources > 0
      ? pass(`${count(sources, 'source')} under References`)
      : fail('the section References lists nothing', respawnFix(facts))
  }),

  'RSCH-003': entryRule((_, { file }) => {
    if (!file) return fail('the entry names no file')
    return file.inPlace
      ? pass(`${file.path} is in the output folder`)
      : fail(`${file.path} is outside the output folder`)
  }),

  'RSCH-004': (facts) => {
    const withFindings = workRule((entry) => {
      const findings = textsOf(entry, 'key_findings').length
      return findings > 0
        ? pass(`${entry.id} has ${count(findings, 'finding')}`)
        : fail(`${entry.id} has no findings`, respawnFix(facts))
    })
    return facts.entries.length === 0
      ? fail(`${facts.spawn} appended no entry`, respawnFix(facts))
      : withFindings(facts)
  },

  'RSCH-005': base['BASE-002']!,

  'RSCH-006': entryRule((entry, facts) => {
    if (entry.status !== 'complete') return notApplicable(`the entry says ${entry.status}`)
    const findings = textsOf(entry, 'key_findings').length
    return findings >= 3 && findings <= 7
      ? pass(`${findings} findings`)
      : fail(`${count(findings, 'finding')}; 3 to 7 are required`, respawnFix(facts))
  }),

  'RSCH-007': agentType('research'),
}
