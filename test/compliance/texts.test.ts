import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../support/project.ts'
import { addTask, handIn, rulings, send } from '../support/subagent.ts'

const handedIn = async (project: TestProject, task: object, work: { text?: string; entry?: object }) => {
  const sent = await send(project, await addTask(project, task))
  await handIn(sent, work)
  return rulings(project, sent.task)
}

const compare = { title: 'Compare hashing', labels: ['research'] }

test('[PROT-1] a report without sources breaks RSCH-002, however it looks', () =>
  withProject(async (project) => {
    const texts = [
      '## Content\n\nNone.\n',
      '## References\n\n',
      '## References\n\n<!-- - RFC 9106 -->\n- <source>\n- TBD\n- …\n',
      '```\n## References\n- RFC 9106\n```\n',
    ]
    for (const [n, text] of texts.entries()) {
      const ruled = await handedIn(project, { ...compare, title: `Compare ${n}` }, { text })
      expect(ruled['RSCH-002']?.[0], text).toBe('fail')
    }
    const good = ['## 4. References\n\n1. RFC 9106\n', '## References:\n\n| source |\n|---|\n| RFC 9106 |\n']
    for (const [n, text] of good.entries()) {
      const ruled = await handedIn(project, { ...compare, title: `Compare well ${n}` }, { text })
      expect(ruled['RSCH-002']?.[0], text).toBe('pass')
    }
  }))

test('[PROT-1] findings of research are 3 to 7 where it is complete, and some at least', () =>
  withProject(async (project) => {
    const findings = (n: number) => Array.from({ length: n }, (_, i) => `Finding ${i}.`)
    const partial = { status: 'partial', finding: ['One.'], followup: ['Measure it.'] }
    expect(await handedIn(project, compare, { entry: partial })).toMatchObject({
      'RSCH-004': ['pass', 'T002-compare-hashing has 1 finding'],
      'RSCH-006': ['na', 'the entry says partial'],
    })
    const db = await project.store()
    const rewrite = async (key_findings: string[]) => {
      const row = (await db.get<{ body: string }>('SELECT body FROM entries'))!
      const body = {
        ...(JSON.parse(row.body) as object),
        status: 'complete',
        agent_type: 'notes',
        key_findings,
      }
      await db.run("UPDATE entries SET status = 'complete', body = ?", JSON.stringify(body))
      return rulings(project, 'T002')
    }
    expect(await rewrite(findings(2))).toMatchObject({
      'RSCH-006': ['fail', '2 findings; 3 to 7 belong there'],
      'RSCH-007': ['fail', 'T002-compare-hashing says "notes", not research'],
    })
    expect((await rewrite(findings(8)))['RSCH-006']?.[0]).toBe('fail')
    expect(await rewrite([])).toMatchObject({ 'RSCH-004': ['fail', 'T002-compare-hashing has no findings'] })
  }))

test('[PROT-1] a report that lies elsewhere breaks RSCH-003', () =>
  withProject(async (project) => {
    await handedIn(project, compare, {})
    expect((await rulings(project, 'T002'))['RSCH-003']?.[0]).toBe('pass')
    const db = await project.store()
    await db.run('UPDATE entries SET body = REPLACE(body, \'"file":"\', \'"file":"../../.cleo/../\')')
    expect((await rulings(project, 'T002'))['RSCH-003']?.[0]).toBe('fail')
  }))

const specify = { title: 'Specify the session format', labels: ['specification'] }
const whole = `# Sessions

**Version**: 1.0
Status: proposed

## 1 Scope

Sessions, not accounts.

## 2 Conformance

An implementation conforms when it keeps every MUST.

## 3 Related Specifications

None.

## 4 Format

4.1 A session MUST end after a day without use.
`

test('[PROT-1] a specification has words, head and sections that can be built from', () =>
  withProject(async (project) => {
    expect(await handedIn(project, specify, { text: whole })).toMatchObject({
      'SPEC-001': ['pass', '2 lines with MUST, SHOULD or MAY'],
      'SPEC-002': ['pass', 'version 1.0, proposed'],
      'SPEC-003': ['pass', 'it has a section Scope'],
      'SPEC-004': ['pass', 'it has a section Conformance'],
      'SPEC-005': ['pass', 'it has a section Related Specifications'],
      'SPEC-007': ['pass', 'T002-specify-the-session-format says specification'],
    })
  }))

test('[PROT-1] a specification says its status in its own words, and its headings in any case', () =>
  withProject(async (project) => {
    const text = whole
      .replace('proposed', 'complete')
      .replace('## 1 Scope', '## SCOPE')
      .replace('Conformance', 'conformance')
      .replace('Related Specifications', 'related')
    expect(await handedIn(project, specify, { text })).toMatchObject({
      'SPEC-002': ['pass', 'version 1.0, complete'],
      'SPEC-003': ['pass', 'it has a section Scope'],
      'SPEC-004': ['pass', 'it has a section Conformance'],
      'SPEC-005': ['pass', 'it has a section Related Specifications'],
    })
    const under = whole.replace(
      '**Version**: 1.0\nStatus: proposed\n',
      '## Version\n\n1.0\n\n## Status\n\nDraft.\n',
    )
    expect((await handedIn(project, specify, { text: under }))['SPEC-002']).toEqual([
      'pass',
      'version 1.0, Draft.',
    ])
    const open = whole.replace('proposed', '…')
    expect((await handedIn(project, specify, { text: open }))['SPEC-002']?.[0]).toBe('fail')
  }))

test('[PROT-1] whatever rule is broken, there is something to do about it', () =>
  withProject(async (project) => {
    await handedIn(project, specify, { text: 'It works.\n', entry: { agentType: 'research' } })
    const answer = await project.call('orchestrate.validate', { id: 'T002' })
    const problems = (answer.ok ? [] : answer.problems)?.filter(
      ({ message }) => !message.startsWith('warning'),
    )
    expect(problems?.map(({ path }) => path)).toContain('SPEC-007')
    for (const { path, fix } of problems!) expect(fix, path).toMatch(/^cleo /)
  }))

test('[PROT-1] a specification without any of it breaks every rule about it', () =>
  withProject(async (project) => {
    const text =
      'It must work.\n\nThe key words MUST and MAY are those of RFC 2119.\n\n```\nMUST\n```\n\n## Scope\n'
    expect(await handedIn(project, specify, { text, entry: { agentType: 'research' } })).toMatchObject({
      'SPEC-002': ['fail', 'the head gives no version, the head gives no status, such as draft or accepted'],
      'SPEC-001': ['fail', 'no requirement uses the words of RFC 2119'],
      'SPEC-003': ['fail', 'the section Scope is empty'],
      'SPEC-004': ['fail', 'there is no section Conformance'],
      'SPEC-005': ['fail', 'there is no section Related Specifications'],
      'SPEC-007': ['fail', 'T002-specify-the-session-format says "research", not specification'],
    })
  }))
