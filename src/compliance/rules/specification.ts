import { fieldsOf, headOf, proseOf, sectionOf } from './output-text.ts'
import { agentType, fail, pass, passUnless, type Rule, type Rules, textFix, textRule } from './ruling.ts'

const sectionRule = (title: string, names: readonly string[]): Rule =>
  textRule((text, facts) => {
    const section = sectionOf(text, names)
    if (section === undefined) return fail(`there is no section ${title}`, textFix(facts))
    return section === ''
      ? fail(`the section ${title} is empty`, textFix(facts))
      : pass(`there is a section ${title}`)
  })

export const specification: Rules = {
  'SPEC-001': textRule((text, facts) => {
    const lines = proseOf(text)
      .split('\n')
      // Skip the usual sentence that explains words such as MUST. It contains all of these words but requires
      // nothing.
      .filter(
        (line) =>
          !/key ?words/i.test(line) && /\b(?:MUST|SHALL|SHOULD|REQUIRED|RECOMMENDED|MAY)\b/.test(line),
      )
    return lines.length > 0
      ? pass(`${lines.length} lines with MUST, SHOULD or MAY`)
      : fail('no requirement uses the words of RFC 2119', textFix(facts))
  }),

  'SPEC-002': textRule((text, facts) => {
    const head = headOf(text)
    const version = [...fieldsOf(head, 'version'), firstLine(text, 'version')].find((value) =>
      /\d/.test(value),
    )
    const status = [...fieldsOf(head, 'status'), firstLine(text, 'status')].find((value) =>
      /^[a-z]/i.test(value),
    )
    const wrong = [
      ...(version ? [] : ['the file header has no version']),
      ...(status ? [] : ['the file header has no status, such as draft or accepted']),
    ]
    return passUnless(wrong, `version ${version}, ${status}`, textFix(facts))
  }),

  'SPEC-003': sectionRule('Scope', ['scope']),
  'SPEC-004': sectionRule('Conformance', ['conformance']),
  'SPEC-005': sectionRule('Related Specifications', ['related specifications', 'related specs', 'related']),
  'SPEC-007': agentType('specification'),
}

/** Some files give their version or status as a section instead of a field. */
const firstLine = (text: string, name: string): string => sectionOf(text, [name])?.split('\n')[0] ?? ''
