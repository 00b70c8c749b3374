import { type Finding, inLineOrder, isKebab, type ReportFinding, reportInto } from '../kernel/finding.ts'
import { nearest } from '../kernel/nearest.ts'
import { type Fields, readHead } from '../skills/fields.ts'

export interface Agent {
  name: string
  description: string
  tools: string[]
  /** That of the one who starts it, where it says nothing. */
  model?: string
  skills: string[]
  allowed_commands?: string[]
}

export interface ExaminedAgent {
  /** As far as it can be understood; none where its front matter cannot be read. */
  agent?: Agent
  findings: Finding[]
}

/** Reads an agent file and says everything that is wrong with it; its skills only where it is known which there are. */
export const examineAgent = async (
  file: string,
  text: string,
  skills?: ReadonlySet<string>,
): Promise<ExaminedAgent> => {
  const findings: Finding[] = []
  const head = await readHead(text)
  const say = reportInto(findings, file, head.ok ? head.fields : new Map())
  if (!head.ok) {
    say('error', '', `${head.why}, so the agent cannot be used`, head.line)
    return { findings }
  }
  const agent = collect(head.fields, say)
  for (const name of agent.skills.filter((name) => skills?.has(name) === false)) {
    const near = nearest(name, skills ?? [])
    say('error', 'skills', `there is no skill "${name}"${near ? `; did you mean "${near}"?` : ''}`)
  }
  if (head.body.trim() === '') say('warning', '', 'has no instructions below its front matter')
  return { agent, findings: inLineOrder(findings) }
}

const collect = (fields: Fields, say: ReportFinding): Agent => {
  const text = (key: string, needed: boolean): string | undefined => {
    const field = fields.get(key)
    const said = field?.text?.trim() || undefined
    if (field && typeof field.value !== 'string') say('error', key, `${key} should be a text`)
    else if (needed && !said) say('error', key, `${key} is missing`)
    return said
  }
  const words = (key: string): string[] | undefined => {
    const value = fields.get(key)?.value
    if (value === undefined) return undefined
    if (typeof value === 'string') return listed(value)
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
    say('error', key, `${key} should be a list of names`)
    return []
  }
  const name = text('name', true)
  const description = text('description', true)
  const model = text('model', false)
  const [tools, allowed] = [words('tools'), words('allowed_tools')]
  const [skills, commands] = [words('skills'), words('allowed_commands')]
  if (name && !isKebab(name))
    say('error', 'name', `the name "${name}" is not small letters, digits and single hyphens`)
  if (!tools && !allowed) say('error', 'tools', 'tools is missing')
  if (tools && allowed) say('warning', 'allowed_tools', 'tools is there as well, and counts')
  for (const key of ['allowed_tools', 'allowed_commands'].filter((each) => fields.has(each)))
    say('warning', key, `${key} means nothing to Claude Code, which reads tools and else allows everything`)
  unknown(fields, say)
  return {
    name: name ?? '',
    description: description?.replace(/\s+/g, ' ') ?? '',
    tools: tools ?? allowed ?? [],
    ...(model && { model }),
    skills: skills ?? [],
    ...(commands && { allowed_commands: commands }),
  }
}

/** "Read, Bash(git log, git diff)" names two tools: a comma in brackets belongs to its tool. */
const listed = (text: string): string[] =>
  (text.match(/(?:\([^()]*\)|[^,(]|\()+/g) ?? []).map((each) => each.trim()).filter(Boolean)

const own = ['name', 'description', 'tools', 'allowed_tools', 'model', 'skills', 'allowed_commands']
/** Fields of agent clients that mean nothing to CLEO and are not mistakes. */
const others =
  'disallowedTools permissionMode mcpServers hooks color memory background isolation effort maxTurns mode temperature metadata license version'

const unknown = (fields: Fields, say: ReportFinding): void => {
  for (const key of fields.keys()) {
    if (key.includes('.') || own.includes(key) || others.split(' ').includes(key)) continue
    const near = nearest(key, own)
    say('warning', key, `"${key}" is not known${near ? `; did you mean "${near}"?` : ' and does nothing'}`)
  }
}
