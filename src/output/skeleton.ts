import type { Protocol } from '../kernel/protocol.ts'

export interface OutputAbout {
  title: string
  task: string
  /** None where the task stands by itself. */
  epic?: string
  date: string
  protocol?: Protocol
}

/** What every output file says of itself, above its first section. */
const headLines = ['Task', 'Epic', 'Date', 'Status'] as const

/** Of a file that nobody has filled in yet. */
export const draft = 'draft'

interface Form {
  head: readonly string[]
  sections: readonly string[]
  /** What its Status may say. */
  statuses: readonly string[]
}

const usual: Form = {
  head: headLines,
  sections: ['Summary', 'Content', 'References'],
  statuses: ['complete', 'partial', 'blocked'],
}

/** SPEC-002 to SPEC-005 ask for these by name; no other protocol names any. */
const specification: Form = {
  head: [...headLines, 'Version'],
  sections: ['Summary', 'Scope', 'Conformance', 'Content', 'Related Specifications', 'References'],
  statuses: [...usual.statuses, draft, 'proposed', 'accepted', 'replaced'],
}

export const formOf = (protocol: Protocol | undefined): Form =>
  protocol === 'specification' ? specification : usual

const hint = '<!-- Number the requirements; key words MUST, SHOULD, MAY as in RFC 2119. -->'

/** An output file that is still to be filled in. */
export const skeleton = ({ title, task, epic, date, protocol }: OutputAbout): string => {
  const form = formOf(protocol)
  return [
    `# ${title}`,
    '',
    `**Task**: ${task}`,
    `**Epic**: ${epic ?? 'none'}`,
    `**Date**: ${date}`,
    `**Status**: ${draft}`,
    ...(form.head.includes('Version') ? ['**Version**: 0.1.0'] : []),
    '',
    ...form.sections.flatMap((section) => [
      `## ${section}`,
      form === specification && section === 'Content' ? hint : '',
      '',
    ]),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}
