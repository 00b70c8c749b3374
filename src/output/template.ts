import type { Protocol } from '../kernel/protocol.ts'
import type { Project } from '../operation/context.ts'
import { relative } from './output-file.ts'
import type { WorkFolders } from './work-folders.ts'

export interface OutputFacts {
  title: string
  task: string
  /** Undefined if the task has no epic. */
  epic?: string
  date: string
  protocol?: Protocol
}

/** The lines that every output file has above its first section. */
const headLines = ['Task', 'Epic', 'Date', 'Status'] as const

/** The status of a file that is not filled in yet. */
export const draft = 'draft'

interface OutputForm {
  head: readonly string[]
  sections: readonly string[]
  statuses: readonly string[]
}

const usual: OutputForm = {
  head: headLines,
  sections: ['Summary', 'Content', 'References'],
  statuses: ['complete', 'partial', 'blocked'],
}

/** The form of a specification, as rules SPEC-002 to SPEC-005 require it. All other protocols use the usual form. */
const specification: OutputForm = {
  head: [...headLines, 'Version'],
  sections: ['Summary', 'Scope', 'Conformance', 'Content', 'Related Specifications', 'References'],
  statuses: [...usual.statuses, draft, 'proposed', 'accepted', 'replaced'],
}

export const formOf = (protocol: Protocol | undefined): OutputForm =>
  protocol === 'specification' ? specification : usual

const hint = '<!-- Number the requirements; key words MUST, SHOULD, MAY as in RFC 2119. -->'

export const outputTemplate = ({ title, task, epic, date, protocol }: OutputFacts): string => {
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

const maxBytes = 4 * 1024 * 1024

export interface FinishedOutput {
  path: string
  status: 'complete' | 'partial' | 'blocked'
  protocol: Protocol
}

/**
 * Writes the status of an entry into its output file. Leaves a specification unchanged, because its author sets its
 * status.
 */
export const writeStatus = async (
  { host, dryRun }: Project,
  folders: WorkFolders,
  { path, status, protocol }: FinishedOutput,
): Promise<void> => {
  const { statuses } = formOf(protocol)
  if (dryRun || !path.endsWith('.md') || statuses.includes(draft)) return
  const read = await host.files.readInside(folders.work, relative(folders.work, path), maxBytes)
  const text = read.ok ? withStatus(read.text, status, [...statuses, draft]) : undefined
  if (text !== undefined) host.files.replace(path, text, 0o644)
}

/** Changes only the Status line above the first section, and only a status that CLEO knows. */
const withStatus = (text: string, status: string, known: readonly string[]): string | undefined => {
  const lines = text.split('\n')
  for (const [i, line] of lines.entries()) {
    if (line.startsWith('## ')) return undefined
    const [, before, value, after] = /^([\s>*-]*Status[\s*]*:[\s*]*)(\w+)([\s*]*)$/i.exec(line) ?? []
    if (value === undefined) continue
    if (value === status || !known.includes(value.toLowerCase())) return undefined
    lines[i] = `${before}${status}${after}`
    return lines.join('\n')
  }
  return undefined
}
