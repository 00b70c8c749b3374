import { readXml, type StartTag } from './read-xml.ts'
import { type Counts, type InvalidReport, noCounts, type TestReport, toTestReport } from './test-report.ts'

interface Suite {
  declared: { tests?: string; failed?: number }
  /**
   * `all`: the number of tests in the suite, including nested suites. `own`: the number of tests directly in the
   * suite. `suites`: the number of suites directly in the suite.
   */
  all: number
  own: number
  suites: number
}

/** Reads JUnit XML, which most test runners can write. */
export const readJunit = (text: string): TestReport | InvalidReport => {
  const reader = new Reader()
  const broken = readXml(text, reader)
  if (broken) return { problem: `the report ${broken}` }
  if (!reader.isJunit) return { problem: 'this XML is not a JUnit report' }
  // Ignore wrong totals if a test failed, because test runners add up failures in different ways.
  if (reader.counts.failed === 0 && reader.disagreement) return { problem: reader.disagreement }
  return toTestReport('junit', reader.counts)
}

class Reader {
  isJunit = true
  disagreement: string | undefined
  readonly counts: Counts = noCounts()
  readonly #path: string[] = []
  readonly #suites: Suite[] = []
  #test: { failed: boolean; skipped: boolean } | undefined

  open({ name, attributes }: StartTag): void {
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (parent === undefined) this.isJunit = isSuite(name)
    if (isSuite(name)) this.#suites.push({ declared: totals(attributes), all: 0, own: 0, suites: 0 })
    else if (name === 'testcase') this.#test = { failed: false, skipped: isSkipped(attributes) }
    else if (parent === 'testcase' && this.#test) {
      if (isFailure(name)) this.#test.failed = true
      if (name === 'skipped') this.#test.skipped = true
    } else if (parent !== undefined && isSuite(parent) && isFailure(name)) {
      // A suite that could not be loaded lists no tests. Count it as one failure.
      this.counts.failed++
    }
  }

  close(name: string): void {
    this.#path.pop()
    if (isSuite(name)) this.#closeSuite(this.#suites.pop()!)
    if (name !== 'testcase' || !this.#test) return
    const suite = this.#suites.at(-1)
    if (suite) suite.own++
    if (suite) suite.all++
    this.counts[this.#test.failed ? 'failed' : this.#test.skipped ? 'skipped' : 'passed']++
    this.#test = undefined
  }

  #closeSuite({ declared, all, own, suites }: Suite): void {
    const parent = this.#suites.at(-1)
    if (parent) parent.all += all
    if (parent) parent.suites++
    // Some test runners count the tests of nested suites in the total of a suite, and others do not. Some runners also
    // count each direct suite as a test.
    const agrees =
      declared.tests === undefined || [all, own, own + suites].map(String).includes(declared.tests)
    if (!agrees) this.disagreement ??= `the report says ${declared.tests} tests, but lists ${all}`
    if (declared.failed !== 0)
      this.disagreement ??= 'the report says that tests failed, but lists none of them'
  }
}

const isSuite = (name: string): boolean => name === 'testsuite' || name === 'testsuites'

const isFailure = (name: string): boolean => name === 'failure' || name === 'error'

const isSkipped = (attributes: ReadonlyMap<string, string>): boolean => {
  const status = attributes.get('status')
  return status === 'notrun' || status === 'disabled' || status === 'skipped'
}

const totals = (attributes: ReadonlyMap<string, string>): Suite['declared'] => ({
  tests: attributes.get('tests'),
  failed: Number(attributes.get('failures') ?? 0) + Number(attributes.get('errors') ?? 0),
})
