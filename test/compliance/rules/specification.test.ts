import { expect, test } from 'vitest'
import { type TestProject, withProject } from '../../support/project.ts'
import { addTask, handIn, rulings, send } from '../../support/subagent.ts'

const submitted = async (project: TestProject, task: object, work: { text?: string; entry?: object }) => {
  const sent = await send(project, await addTask(project, task))
  await handIn(sent, work)
  return rulings(project, sent.task)
}

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

test('[PROT-1] a specification with keywords, head and sections is valid', () =>
  withProject(async (project) => {
    expect(await submitted(project, specify, { text: whole })).toMatchObject({
      'SPEC-001': ['pass', '2 lines with MUST, SHOULD or MAY'],
      'SPEC-002': ['pass', 'version 1.0, proposed'],
      'SPEC-003': ['pass', 'there is a section Scope'],
      'SPEC-004': ['pass', 'there is a section Conformance'],
      'SPEC-005': ['pass', 'there is a section Related Specifications'],
      'SPEC-007': ['pass', 'T002-specify-the-session-format has agent_type specification'],
    })
  }))

test('[PROT-1] status and headings may be written in several ways', () =>
  withProject(async (project) => {
    const text = whole
      .replace('proposed', 'complete')
      .replace('## 1 Scope', '## SCOPE')
      .replace('Conformance', 'conformance')
      .replace('Related Specifications', 'related')
    expect(await submitted(project, specify, { text })).toMatchObject({
      'SPEC-002': ['pass', 'version 1.0, complete'],
      'SPEC-003': ['pass', 'there is a section Scope'],
      'SPEC-004': ['pass', 'there is a section Conformance'],
      'SPEC-005': ['pass', 'there is a section Related Specifications'],
    })
    const under = whole.replace(
      '**Version**: 1.0\nStatus: proposed\n',
      '## Version\n\n1.0\n\n## Status\n\nDraft.\n',
    )
    expect((await submitted(project, specify, { text: under }))['SPEC-002']).toEqual([
      'pass',
      'version 1.0, Draft.',
    ])
    const open = whole.replace('proposed', '…')
    expect((await submitted(project, specify, { text: open }))['SPEC-002']?.[0]).toBe('fail')
  }))

test('[PROT-1] a specification without them breaks every rule', () =>
  withProject(async (project) => {
    const text =
      'It must work.\n\nThe key words MUST and MAY are those of RFC 2119.\n\n```\nMUST\n```\n\n## Scope\n'
    expect(await submitted(project, specify, { text, entry: { agentType: 'research' } })).toMatchObject({
      'SPEC-002': [
        'fail',
        'the file header has no version, the file header has no status, such as draft or accepted',
      ],
      'SPEC-001': ['fail', 'no requirement uses the words of RFC 2119'],
      'SPEC-003': ['fail', 'the section Scope is empty'],
      'SPEC-004': ['fail', 'there is no section Conformance'],
      'SPEC-005': ['fail', 'there is no section Related Specifications'],
      'SPEC-007': ['fail', 'T002-specify-the-session-format has agent_type "research", not specification'],
    })
  }))
