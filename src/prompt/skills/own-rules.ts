import { nearest } from '../../model/nearest.ts'
import { protocols } from '../../model/protocol.ts'
import { making, misleading } from '../dispatch/table.ts'
import type { Entry } from './entry.ts'
import type { Fields } from './fields.ts'
import type { Broken } from './finding.ts'
import type { Divided } from './front-matter.ts'
import { linkedFiles } from './links.ts'

/** What CLEO asks of a skill beyond the public rules; it loads whatever comes of this. */
export const ownRules = (
  fields: Fields,
  entry: Entry,
  { body, bodyLine }: Divided,
  { files, tokens }: { files: readonly string[]; tokens: number },
): Broken[] => {
  const at = (key: string) => fields.get(`metadata.${key}`)?.line ?? 1
  const said = (key: string) => fields.get(`metadata.${key}`)?.text
  const number = (key: string) => said(key) !== undefined && !/^\d{1,7}$/.test(said(key)!)
  const protocol = said('protocol')
  const template = said('cleo-template')
  return [
    ...(number('token_budget')
      ? [{ line: at('token_budget'), message: 'token_budget is not a whole number' }]
      : []),
    ...(number('tier') ? [{ line: at('tier'), message: 'tier is not a whole number' }] : []),
    ...(tokens > entry.token_budget
      ? [
          {
            line: at('token_budget'),
            message: `SKILL.md has ${tokens} tokens, more than its budget of ${entry.token_budget}; put what is seldom needed into references/`,
          },
        ]
      : []),
    ...(protocol !== undefined && !entry.protocol
      ? [{ line: at('protocol'), message: unknownProtocol(protocol) }]
      : []),
    ...(template !== undefined && !['true', 'false'].includes(template)
      ? [{ line: at('cleo-template'), message: 'cleo-template is neither true nor false' }]
      : []),
    ...entry.capabilities.dispatch_triggers.flatMap((trigger) => {
      const message = everyday(trigger.toLowerCase())
      return message ? [{ line: at('dispatch_triggers'), message }] : []
    }),
    ...linkedFiles(body)
      .filter((file) => !files.includes(file))
      .map((file) => ({
        line: lineOf(body, file, bodyLine),
        message: `links to ${file}, which is not there`,
      })),
  ]
}

const unknownProtocol = (given: string): string => {
  const near = nearest(given, protocols)
  return `there is no protocol "${given}"${near ? `; did you mean "${near}"?` : `, only ${protocols.join(', ')}`}`
}

const everyday = (trigger: string): string | undefined => {
  if (misleading.some((word) => word === trigger))
    return `the trigger "${trigger}" is an everyday verb and not listened to; say what it is about`
  if (making.some((word) => word === trigger))
    return `the trigger "${trigger}" starts every other title; say what it is about`
  return undefined
}

const lineOf = (body: string, words: string, first: number): number =>
  first + body.slice(0, Math.max(0, body.indexOf(words))).split('\n').length - 1
