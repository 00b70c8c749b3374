import type { ReportFinding } from '../kernel/finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { protocols } from '../kernel/protocol.ts'
import type { Divided } from '../markdown/front-matter.ts'
import { making, misleading } from './dispatch/table.ts'
import type { Entry } from './entry.ts'
import type { Fields } from './fields.ts'
import { linkedFiles } from './links.ts'

/** What CLEO asks of a skill beyond the public rules; it loads whatever comes of this. */
export const ownRules = (
  fields: Fields,
  entry: Entry,
  { body, bodyLine }: Divided,
  { files, tokens }: { files: readonly string[]; tokens: number },
  say: ReportFinding,
): void => {
  const warn = (key: string, message: string) => say('warning', `metadata.${key}`, message)
  const said = (key: string) => fields.get(`metadata.${key}`)?.text
  for (const key of ['token_budget', 'tier'])
    if (!/^\d{1,7}$/.test(said(key) ?? '0')) warn(key, `${key} is not a whole number`)
  if (tokens > entry.token_budget)
    warn(
      'token_budget',
      `SKILL.md has ${tokens} tokens, more than its budget of ${entry.token_budget}; put what is seldom needed into references/`,
    )
  const protocol = said('protocol')
  if (protocol !== undefined && !entry.protocol) {
    const near = nearest(protocol, protocols)
    warn('protocol', `there is no protocol "${protocol}"${near ? `; did you mean "${near}"?` : ''}`)
  }
  if (!['true', 'false'].includes(said('cleo-template') ?? 'false'))
    warn('cleo-template', 'cleo-template is neither true nor false')
  const verbs: readonly string[] = [...misleading, ...making]
  for (const trigger of entry.capabilities.dispatch_triggers)
    if (verbs.includes(trigger.toLowerCase()))
      warn('dispatch_triggers', `the trigger "${trigger}" is an everyday verb; say what it is about`)
  for (const file of linkedFiles(body).filter((each) => !files.includes(each)))
    say('warning', '', `links to ${file}, which is not there`, bodyLine + linesBefore(body, file))
}

const linesBefore = (body: string, words: string): number =>
  body.slice(0, Math.max(0, body.indexOf(words))).split('\n').length - 1
