import { base } from './base.ts'
import { entriesIn, sectionOf } from './output-text.ts'
import {
  agentType,
  count,
  fail,
  na,
  ofEntry,
  ofText,
  ofWork,
  pass,
  type Rules,
  respawnFix,
  textsOf,
  unless,
} from './ruling.ts'

export const research: Rules = {
  'RSCH-001': ({ changed }) => {
    if (!changed) return na('it had no work folder of its own')
    const outside = changed.filter(({ output }) => !output).map(({ path }) => path)
    return unless(
      outside.map((path) => `${path} was changed`),
      `${count(changed.length, 'file')} changed, all of them output`,
    )
  },

  'RSCH-002': ofText((text, seen) => {
    const section = sectionOf(text, ['references'])
    if (section === undefined) return fail('there is no section References', respawnFix(seen))
    const sources = entriesIn(section)
    return sources > 0
      ? pass(`${count(sources, 'source')} under References`)
      : fail('the section References lists nothing', respawnFix(seen))
  }),

  'RSCH-003': ofEntry((_, { file }) => {
    if (!file) return fail('the entry names no file')
    return file.inPlace
      ? pass(`${file.path} lies in the output folder`)
      : fail(`${file.path} lies outside of the output folder`)
  }),

  'RSCH-004': (seen) => {
    const handedIn = ofWork((entry) => {
      const findings = textsOf(entry, 'key_findings').length
      return findings > 0
        ? pass(`${entry.id} has ${count(findings, 'finding')}`)
        : fail(`${entry.id} has no findings`, respawnFix(seen))
    })
    return seen.entries.length === 0
      ? fail(`${seen.spawn} appended no entry`, respawnFix(seen))
      : handedIn(seen)
  },

  'RSCH-005': base['BASE-002']!,

  'RSCH-006': ofEntry((entry, seen) => {
    if (entry.status !== 'complete') return na(`the entry says ${entry.status}`)
    const findings = textsOf(entry, 'key_findings').length
    return findings >= 3 && findings <= 7
      ? pass(`${findings} findings`)
      : fail(`${count(findings, 'finding')}; 3 to 7 belong there`, respawnFix(seen))
  }),

  'RSCH-007': agentType('research'),
}
