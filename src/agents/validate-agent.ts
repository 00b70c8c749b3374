import {
  type FileFinding,
  inLineOrder,
  isKebab,
  type ReportFinding,
  reportInto,
} from '../kernel/file-finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { type FrontMatterFields, readHead, unindentedWarning } from '../skills/skill-fields.ts'

export interface Agent {
  name: string
  description: string
  tools: string[]
  /** The model of the agent; missing if the agent uses the model of its caller. */
  model?: string
  skills: string[]
  allowed_commands?: string[]
}

export interface ValidatedAgent {
  /** Missing if the front matter cannot be read. */
  agent?: Agent
  findings: FileFinding[]
}

/** Checks skill names only if `skills` is given. */
export const validateAgent = async (
  file: string,
  text: string,
  skills?: ReadonlySet<string>,
): Promise<ValidatedAgent> => {
  const findings: FileFinding[] = []
  const head = await readHead(text)
  const report = reportInto(findings, file, head.ok ? head.fields : new Map())
  if (!head.ok) {
    report('error', '', `${head.why}, so the agent cannot be used`, head.line)
    return { findings }
  }
  if (head.unindented) report('warning', '', unindentedWarning, head.unindented)
  const agent = collect(head.fields, report)
  for (const name of agent.skills.filter((name) => skills?.has(name) === false)) {
    const near = nearest(name, skills ?? [])
    report('error', 'skills', `there is no skill "${name}"${near ? `; did you mean "${near}"?` : ''}`)
  }
  if (head.body.trim() === '') report('warning', '', 'has no instructions below its front matter')
  return { agent, findings: inLineOrder(findings) }
}

const collect = (fields: FrontMatterFields, report: ReportFinding): Agent => {
  const text = (key: string, needed: boolean): string | undefined => {
    const field = fields.get(key)
    const value = field?.text?.trim() || undefined
    if (field && typeof field.value !== 'string') report('error', key, `${key} must be text`)
    else if (needed && !value) report('error', key, `${key} is missing`)
    return value
  }
  const words = (key: string): string[] | undefined => {
    const value = fields.get(key)?.value
    if (value === undefined) return undefined
    if (typeof value === 'string') return listed(value)
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
    report('error', key, `${key} must be a list of names`)
    return []
  }
  const name = text('name', true)
  const description = text('description', true)
  const model = text('model', false)
  const [tools, allowed] = [words('tools'), words('allowed_tools')]
  const [skills, commands] = [words('skills'), words('allowed_commands')]
  if (name && !isKebab(name))
    report('error', 'name', `the name "${name}" must be lower-case letters, digits and single hyphens`)
  if (!tools && !allowed) report('error', 'tools', 'tools is missing')
  if (tools && allowed) report('warning', 'allowed_tools', 'is ignored because tools is set')
  for (const key of ['allowed_tools', 'allowed_commands'].filter((each) => fields.has(each)))
    report('warning', key, `Claude Code ignores ${key}; it allows every tool unless tools is set`)
  unknown(fields, report)
  return {
    name: name ?? '',
    description: description?.replace(/\s+/g, ' ') ?? '',
    tools: tools ?? allowed ?? [],
    ...(model && { model }),
    skills: skills ?? [],
    ...(commands && { allowed_commands: commands }),
  }
}

/** Splits a text at commas outside parentheses: "Read, Bash(git log, git diff)" lists two tools. */
const listed = (text: string): string[] =>
  (text.match(/(?:\([^()]*\)|[^,(]|\()+/g) ?? []).map((each) => each.trim()).filter(Boolean)

const own = ['name', 'description', 'tools', 'allowed_tools', 'model', 'skills', 'allowed_commands']
/** Fields that agent clients define and CLEO ignores. */
const clientFields =
  'disallowedTools permissionMode mcpServers hooks color memory background isolation effort maxTurns mode temperature metadata license version'

const unknown = (fields: FrontMatterFields, report: ReportFinding): void => {
  for (const key of fields.keys()) {
    if (key.includes('.') || own.includes(key) || clientFields.split(' ').includes(key)) continue
    const near = nearest(key, own)
    report('warning', key, `"${key}" is unknown${near ? `; did you mean "${near}"?` : ' and has no effect'}`)
  }
}
