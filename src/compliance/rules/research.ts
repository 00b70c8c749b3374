import { shellQuote } from '../../print/shell-quote.ts'
import { base } from './base.ts'
import { shortSha } from './commits.ts'
import { entriesIn, sectionOf } from './output-text.ts'
import {
  agentType,
  count,
  entryRule,
  fail,
  firstFew,
  notApplicable,
  pass,
  type Rules,
  respawnFix,
  reviseFix,
  textFix,
  textRule,
  textsOf,
  workRule,
} from './ruling.ts'

const findingFlags = ' --finding "<one sentence>"'.repeat(3)

export const research: Rules = {
  'RSCH-001': ({ changed }) => {
    if (!changed) return notApplicable('there is no git repository')
    const { committed, open, doubtful, commits, command } = changed
    const files = [...committed, ...open].sort()
    if (files.length > 0) {
      const revert = `${command} revert --no-edit ${commits.map(shortSha).join(' ')}`
      const setAside = `${command} stash push --include-untracked -- ${open.map(shellQuote).join(' ')}`
      return fail(firstFew(files.map((path) => `${path} was changed`)), open.length > 0 ? setAside : revert)
    }
    return doubtful.length > 0
      ? { result: 'warning', fact: `uncommitted files, perhaps changed by others: ${firstFew(doubtful)}` }
      : pass('nothing outside the output folders was changed')
  },

  'RSCH-002': textRule((text, facts) => {
    const section = sectionOf(text, ['references'])
    if (section === undefined) return fail('there is no section References', textFix(facts))
    const sources = entriesIn(section)
    return sources > 0
      ? pass(`${count(sources, 'source')} under References`)
      : fail('the section References lists nothing', textFix(facts))
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
        : fail(`${entry.id} has no findings`, reviseFix(facts, findingFlags))
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
      : fail(`${count(findings, 'finding')}; 3 to 7 are required`, reviseFix(facts, findingFlags))
  }),

  'RSCH-007': agentType('research'),
}
