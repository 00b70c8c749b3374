import {
  type FileFinding,
  inLineOrder,
  isKebab,
  type ReportFinding,
  reportInto,
} from '../kernel/file-finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { protocols } from '../kernel/protocol.ts'
import type { SplitFile } from '../markdown/front-matter.ts'
import { everydayVerbs } from './dispatch.ts'
import { linkedFiles } from './referenced-files.ts'
import { type SkillEntry, skillEntryOf } from './skill-entry.ts'
import { type FrontMatterFields, readHead, unindentedWarning } from './skill-fields.ts'

export interface ValidatedSkill {
  /** Missing if the skill cannot be loaded. */
  entry?: SkillEntry
  findings: FileFinding[]
}

interface SkillToValidate {
  /** The path of SKILL.md as findings show it. */
  file: string
  text: string
  folder: string
  /** The paths of all files in the skill's folder, relative to that folder. */
  files: readonly string[]
  tokens: number
}

/** Breaking the Agent Skills format is an error; breaking CLEO's own rules is a warning. */
export const validateSkill = async (skill: SkillToValidate): Promise<ValidatedSkill> => {
  const { file, text, folder } = skill
  const findings: FileFinding[] = []
  const head = await readHead(text)
  const fields: FrontMatterFields = head.ok ? head.fields : new Map()
  const report = reportInto(findings, file, fields)
  const read = head.ok ? skillEntryOf(fields, { path: folder, sha256: '', files: [] }) : head
  if (head.ok) checkFormat(fields, folder, report)
  if (head.ok && head.unindented) report('warning', '', unindentedWarning, head.unindented)
  if (!read.ok) report('error', '', `${read.why}, so the skill cannot be loaded`, read.line)
  else if (head.ok) checkOwnRules(fields, read.entry, head, skill, report)
  return { ...(read.ok && { entry: read.entry }), findings: inLineOrder(findings) }
}

/** Keys that agent clients define for skills. They are allowed at the top level, where the clients look for them. */
const clientKeys = [
  ...[
    'disable-model-invocation',
    'user-invocable',
    'user-invokable',
    'argument-hint',
    'arguments',
    'when_to_use',
  ],
  ...['model', 'effort', 'context', 'agent', 'hooks', 'paths', 'shell', 'mode', 'globs', 'alwaysApply'],
]

const textKeys = ['name', 'description', 'license', 'compatibility', 'allowed-tools']

const checkFormat = (fields: FrontMatterFields, folder: string, report: ReportFinding): void => {
  for (const [key, { value }] of fields) {
    const isText = typeof value === 'string'
    if (key.startsWith('metadata.')) {
      if (!isText) report('error', key, `${key} is not text; put quotes around it, and commas between words`)
    } else if (key === 'metadata') {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        report('error', key, 'metadata is not a list of "name: text" lines')
    } else if (textKeys.includes(key)) {
      if (!isText) report('error', key, `${key} must be text on one line`)
    } else if (!key.includes('.') && !clientKeys.includes(key))
      report('error', key, `"${key}" is not a key of the Agent Skills format; move it into metadata`)
  }
  const name = fields.get('name')?.text?.trim()
  if (name && (name.length > 64 || !isKebab(name)))
    report(
      'error',
      'name',
      `the name "${name}" must be at most 64 lower-case letters, digits and single hyphens`,
    )
  if (name && name !== folder)
    report('error', 'name', `the name "${name}" differs from its folder, "${folder}"`)
  for (const [key, most] of [['description', 1024] as const, ['compatibility', 500] as const])
    if ([...(fields.get(key)?.text?.trim() ?? '')].length > most)
      report('error', key, `${key} has more than ${most} characters`)
}

/** Reports only warnings, because a skill that breaks these rules still loads. */
const checkOwnRules = (
  fields: FrontMatterFields,
  entry: SkillEntry,
  { body, bodyLine }: SplitFile,
  { files, tokens }: SkillToValidate,
  report: ReportFinding,
): void => {
  const warn = (key: string, message: string) => report('warning', `metadata.${key}`, message)
  const textOf = (key: string) => fields.get(`metadata.${key}`)?.text
  for (const key of ['token_budget', 'tier'])
    if (!/^\d{1,7}$/.test(textOf(key) ?? '0')) warn(key, `${key} is not a whole number`)
  if (tokens > entry.token_budget)
    warn(
      'token_budget',
      `SKILL.md has ${tokens} tokens, more than its budget of ${entry.token_budget}; move details into references/`,
    )
  const protocol = textOf('protocol')
  if (protocol !== undefined && !entry.protocol) {
    const near = nearest(protocol, protocols)
    warn('protocol', `there is no protocol "${protocol}"${near ? `; did you mean "${near}"?` : ''}`)
  }
  if (!['true', 'false'].includes(textOf('cleo-template') ?? 'false'))
    warn('cleo-template', 'cleo-template must be true or false')
  for (const trigger of entry.capabilities.dispatch_triggers)
    if (everydayVerbs.includes(trigger.toLowerCase()))
      warn('dispatch_triggers', `the trigger "${trigger}" is too common; use a more specific phrase`)
  for (const file of linkedFiles(body).filter((each) => !files.includes(each)))
    report('warning', '', `links to ${file}, which does not exist`, bodyLine + linesBefore(body, file))
}

const linesBefore = (body: string, words: string): number =>
  body.slice(0, Math.max(0, body.indexOf(words))).split('\n').length - 1
