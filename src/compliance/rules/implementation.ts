import { generatedPart } from '../../git/generated-files.ts'
import { commitsRule, everyCommitIsTraceable } from './commits.ts'
import { proseOf, sectionOf } from './output-text.ts'
import type { Commit, RuleFacts, SubmittedEntry } from './rule-facts.ts'
import {
  agentType,
  count,
  fail,
  finishFix,
  firstFew,
  lastEntry,
  notApplicable,
  pass,
  type Rules,
  type Ruling,
  reviseFix,
  textsOf,
  workRule,
} from './ruling.ts'

export const implementation: Rules = {
  'IMPL-001': (facts) => (facts.git ? commitsRule(testsIn)(facts) : workRule(testsGiven)(facts)),

  'IMPL-003': everyCommitIsTraceable,

  'IMPL-004': workRule((entry, { gates, task }) => {
    const tests = gates.find(({ gate }) => gate === 'testsPassed')
    if (!tests) return notApplicable('the stage of the task does not require tests')
    if (tests.state === 'na') return notApplicable('the project has no tests to run')
    if (tests.state === 'passed') return pass('testsPassed was proved')
    const fact = `testsPassed is ${tests.state}${tests.why ? ` (${tests.why})` : ''}`
    return tests.required && entry.status === 'complete'
      ? fail(fact, tests.fix ?? `cleo verify ${task.id}`)
      : notApplicable(fact)
  }),

  'IMPL-006': workRule((entry, facts) => {
    const findings = textsOf(entry, 'key_findings').length
    return findings > 0
      ? pass(`${entry.id} has ${count(findings, 'finding')}`)
      : fail(
          `${entry.id} has no finding about what was built or decided`,
          reviseFix(facts, ' --finding "<what was built or decided>"'),
        )
  }),

  'IMPL-007': agentType('implementation'),
}

const testsIn = (commits: readonly Commit[], facts: RuleFacts): Ruling =>
  hasTests([...new Set(commits.flatMap(({ files }) => files))], facts)

const testsGiven = (_: SubmittedEntry, facts: RuleFacts): Ruling =>
  facts.filesGiven.length > 0
    ? hasTests(facts.filesGiven, facts)
    : notApplicable('no file was given as evidence')

/** Requires a test, or the reason why there is none. Files written by tools, such as compiled tests, do not count. */
const hasTests = (all: readonly string[], facts: RuleFacts): Ruling => {
  const files = all.filter((path) => generatedPart(path, () => false) === undefined)
  const tests = files.filter(isTest)
  if (tests.length > 0)
    return pass(`${count(tests.length, 'test file')} among ${count(files.length, 'file')}`)
  const declared = lastEntry(facts)?.body['no_tests']
  const reason = typeof declared === 'string' && declared.trim() !== '' ? declared.trim() : undefined
  if (reason) return pass(`no test file; the entry says why: ${reason.slice(0, 80)}`)
  const written = reasonIn(facts.file?.text ?? '')
  return written
    ? pass(`no test file; the output file says: ${written}`)
    : fail(
        `there is no test file, only ${firstFew(files) || 'generated files'}. Commit a test and try again. If an existing test covers the work, name it with --no-tests; if there can be no test, say why with --no-tests. What you submitted is kept`,
        finishFix(facts, ' --no-tests "covered by <test>"'),
      )
}

const isTest = (path: string): boolean =>
  /(?:^|\/)(?:tests?|specs?|__tests__|testing)\//i.test(path) ||
  /(?:[._-](?:test|spec)|_test|Tests?|Spec)\.[A-Za-z0-9]+$/.test(path) ||
  /(?:^|\/)(?:test|spec)_[^/]+\.[A-Za-z0-9]+$/.test(path)

/** Returns the stated reason for having no tests: a sentence `no tests because …`, or a section `No tests`. */
const reasonIn = (text: string): string | undefined => {
  const prose = proseOf(text)
  const sentence =
    /\bno (?:new |automated )?tests?\b[^.\n]{0,80}\b(?:because|since|as|for|:)\s[^\n]{8,}/i.exec(prose)?.[0]
  const section = sectionOf(text, ['no tests', 'why no tests', 'why there are no tests'])
  return (sentence ?? section)?.split('\n')[0]?.slice(0, 80) || undefined
}
