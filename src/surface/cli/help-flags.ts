import { commonFlags } from '../../help/common-flag-words.ts'
import type { Style } from '../../kernel/style.ts'
import { commonLetterOf, ownLetters } from '../../operation/short-flags.ts'
import { explained, paragraph } from './help.ts'

const explanations: Readonly<Record<string, string>> = {
  '--json':
    'print one JSON object with success, data or error, meta and page; CLEO_FORMAT=json does this for every command',
  '--human': 'print text for people, even if CLEO_FORMAT=json is set',
  '--format': '--format json means --json, --format human means --human',
  '--raw': 'print only the data, as JSON',
  '--quiet': 'print nothing but warnings and refusals; the exit status says the rest',
  '--field': 'print one value of the data: --field task.id',
  '--fields': 'print only these fields of the data, as JSON: --fields id,title',
  '--project': 'the folder of the project; otherwise it is found from the current folder upwards',
  '--session': 'the session that this command belongs to; otherwise CLEO_SESSION_ID',
  '--as': 'who runs the command: an agent, or a spawn such as T012.1; otherwise CLEO_AGENT_ID, otherwise you',
  '--dry-run': 'for commands that change something: show what would happen, and change nothing',
  '--verbose': 'with --json: add the id of this call to meta',
  '--help': 'explain the command',
}

export const flagsHelp = (style: Style): string[] => {
  const rows: [string, string][] = Object.entries(explanations).map(([name, text]) => {
    const letter = commonLetterOf(name.slice(2))
    const value = commonFlags.find(({ word }) => word === name)?.value
    const hint = value === undefined ? '' : typeof value === 'string' ? ' "…"' : ` ${value.join('|')}`
    return [`${letter ? `-${letter}, ` : ''}${name}${hint}`, text]
  })
  const letters = ownLetters().map(([letter, names]): [string, string] => [
    `-${letter}`,
    names.map((name) => `--${name}`).join(', else '),
  ])
  return [
    style.bold('Flags of every command'),
    ...explained(rows, style),
    '',
    style.bold('Short flags, where the command has the flag'),
    ...explained(letters, style),
    '',
    ...paragraph(
      'A value follows its flag or is part of the word: --limit 5, --limit=5, -n 5, -n5. After -- nothing is a flag.',
      style,
    ),
    ...paragraph(
      'Separate the values of a list with commas, or repeat the flag. The value - reads standard input.',
      style,
    ),
    ...paragraph('In a pipe no line is cut or coloured, so that grep and awk can read it.', style),
  ]
}
