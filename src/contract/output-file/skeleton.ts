export interface OutputAbout {
  title: string
  task: string
  /** None where the task stands by itself. */
  epic?: string
  date: string
}

/** What every output file says of itself, above its first section. */
export const headLines = ['Task', 'Epic', 'Date', 'Status'] as const
export const sectionTitles = ['Summary', 'Content', 'References'] as const

/** Of a file that nobody has filled in yet. */
export const draft = 'draft'

/** An output file that is still to be filled in. */
export const skeleton = ({ title, task, epic, date }: OutputAbout): string =>
  [
    `# ${title}`,
    '',
    `**Task**: ${task}`,
    `**Epic**: ${epic ?? 'none'}`,
    `**Date**: ${date}`,
    `**Status**: ${draft}`,
    '',
    ...sectionTitles.flatMap((section) => [`## ${section}`, '', '']),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
