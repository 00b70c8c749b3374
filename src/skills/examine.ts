import { type Finding, inLineOrder, isKebab, type ReportFinding, reportInto } from '../kernel/finding.ts'
import { type Entry, entryOf } from './entry.ts'
import { type Fields, readHead } from './fields.ts'
import { ownRules } from './own-rules.ts'

export interface Examined {
  /** Without one it cannot be loaded. */
  entry?: Entry
  findings: Finding[]
}

export interface Written {
  /** For findings: where SKILL.md is. */
  file: string
  text: string
  /** The name of the folder it is in. */
  folder: string
  /** Every file of the folder, relative to it. */
  files: readonly string[]
  tokens: number
}

/** Everything that is wrong with a skill, by the public rules for Agent Skills and by CLEO's own. */
export const examineSkill = async (skill: Written): Promise<Examined> => {
  const { file, text, folder } = skill
  const findings: Finding[] = []
  const head = await readHead(text)
  const fields: Fields = head.ok ? head.fields : new Map()
  const say = reportInto(findings, file, fields)
  const made = head.ok ? entryOf(fields, { path: folder, sha256: '', files: [] }) : head
  if (head.ok) publicRules(fields, folder, say)
  if (!made.ok) say('error', '', `${made.why}, so the skill cannot be loaded`, made.line)
  else if (head.ok) ownRules(fields, made.entry, head, skill, say)
  return { ...(made.ok && { entry: made.entry }), findings: inLineOrder(findings) }
}

const texts = ['name', 'description', 'license', 'compatibility', 'allowed-tools']

const publicRules = (fields: Fields, folder: string, say: ReportFinding): void => {
  for (const [key, { value }] of fields) {
    const isText = typeof value === 'string'
    if (key.startsWith('metadata.')) {
      if (!isText) say('error', key, `${key} is not text; put quotes around it, and commas between words`)
    } else if (key === 'metadata') {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        say('error', key, 'metadata is not a list of "name: text" lines')
    } else if (texts.includes(key)) {
      if (!isText) say('error', key, `${key} is not one text on a line`)
    } else if (!key.includes('.'))
      say('error', key, `"${key}" is not a key of the public format; it belongs below metadata`)
  }
  const name = fields.get('name')?.text?.trim()
  if (name && (name.length > 64 || !isKebab(name)))
    say('error', 'name', `the name "${name}" is not at most 64 small letters, digits and single hyphens`)
  if (name && name !== folder)
    say('error', 'name', `the name "${name}" is not that of its folder, "${folder}"`)
  for (const [key, most] of [['description', 1024] as const, ['compatibility', 500] as const])
    if ([...(fields.get(key)?.text?.trim() ?? '')].length > most)
      say('error', key, `${key} has more than ${most} characters`)
}
