import { type Opening, readXml } from './read-xml.ts'
import { type Counts, noCounts, type Report, toReport, type Unfit } from './report.ts'

interface Suite {
  said: { tests?: string; failed?: number }
  /** Tests in it and in all suites within, tests directly in it, and suites directly in it. */
  all: number
  own: number
  suites: number
}

/** JUnit XML, which most test runners can write. */
export const readJunit = (text: string): Report | Unfit => {
  const reader = new Reader()
  const broken = readXml(text, reader)
  if (broken) return { problem: `the report ${broken}` }
  if (!reader.isJunit) return { problem: 'this XML is not a JUnit report' }
  // Runners sum failures up in different ways; a failed run needs no sums that agree.
  if (reader.counts.failed === 0 && reader.disagreement) return { problem: reader.disagreement }
  return toReport('junit', reader.counts)
}

class Reader {
  isJunit = true
  disagreement: string | undefined
  readonly counts: Counts = noCounts()
  readonly #path: string[] = []
  readonly #suites: Suite[] = []
  /** What is known of the test being read. */
  #test: { failed: boolean; skipped: boolean } | undefined

  open({ name, attributes }: Opening): void {
    const parent = this.#path.at(-1)
    this.#path.push(name)
    if (parent === undefined) this.isJunit = isSuite(name)
    if (isSuite(name)) this.#suites.push({ said: sums(attributes), all: 0, own: 0, suites: 0 })
    else if (name === 'testcase') this.#test = { failed: false, skipped: isLeftOut(attributes) }
    else if (parent === 'testcase' && this.#test) {
      if (isFailure(name)) this.#test.failed = true
      if (name === 'skipped') this.#test.skipped = true
    } else if (parent !== undefined && isSuite(parent) && isFailure(name)) {
      // A suite that could not be loaded has no tests of its own and still failed.
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

  #closeSuite({ said, all, own, suites }: Suite): void {
    const parent = this.#suites.at(-1)
    if (parent) parent.all += all
    if (parent) parent.suites++
    // Runners sum up all below, or what is directly in it, where some take a suite for a test.
    const agrees = said.tests === undefined || [all, own, own + suites].map(String).includes(said.tests)
    if (!agrees) this.disagreement ??= `the report says tests ${said.tests}, but lists ${all}`
    if (said.failed !== 0) this.disagreement ??= 'the report says that tests failed, but lists none of them'
  }
}

const isSuite = (name: string): boolean => name === 'testsuite' || name === 'testsuites'

const isFailure = (name: string): boolean => name === 'failure' || name === 'error'

const isLeftOut = (attributes: ReadonlyMap<string, string>): boolean => {
  const status = attributes.get('status')
  return status === 'notrun' || status === 'disabled' || status === 'skipped'
}

const sums = (attributes: ReadonlyMap<string, string>): Suite['said'] => ({
  tests: attributes.get('tests'),
  failed: Number(attributes.get('failures') ?? 0) + Number(attributes.get('errors') ?? 0),
})
