import * as v from 'valibot'
import { readInside } from '../host/safe-read.ts'
import { foldersIn } from '../host/stat.ts'
import type { Finding } from '../kernel/finding.ts'
import type { Project } from '../operation/context.ts'
import { openCatalogue } from '../skills/catalogue.ts'
import { mostAgentBytes } from './agent-for.ts'
import { type Agent, examineAgent } from './examine-agent.ts'

export interface FoundAgent {
  /** What its file says, else the name of the file. */
  name: string
  origin: 'project' | 'shipped'
  path: string
  text: string
  agent?: Agent
  findings: Finding[]
}

/** Every agent file of the project, then those that come with CLEO, each with what is wrong with it. */
export const discoverAgents = async (project: Project): Promise<FoundAgent[]> => {
  const { root } = project
  const places = [
    ...(foldersIn(`${root}/agents`) ?? []).map(({ name }) => ({ name, path: `agents/${name}/AGENT.md` })),
    ...project.host.files
      .list(`${root}/.claude/agents`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({ name: file.slice(0, -3), path: `.claude/agents/${file}` })),
  ]
  const skills = await knownSkills(project)
  const own: FoundAgent[] = []
  for (const { name, path } of places) own.push(await readAgent(root, path, name, skills))
  const { agentTexts } = await import('./generated/agents.ts')
  for (const [name, text] of Object.entries(agentTexts)) {
    const path = `agents/${name}/AGENT.md`
    own.push({ name, origin: 'shipped', path, text, ...(await examineAgent(path, text, skills)) })
  }
  return own
}

export const knownSkills = async (project: Project): Promise<Set<string>> =>
  new Set((await openCatalogue(project)).list().map(({ name }) => name))

export const readAgent = async (
  folder: string,
  path: string,
  name: string,
  skills: ReadonlySet<string>,
): Promise<FoundAgent> => {
  const read = readInside(folder, path, mostAgentBytes)
  if (!read.ok) {
    const message = read.missing ? 'has no AGENT.md' : `${read.why}, so the agent cannot be used`
    const file = read.missing ? path.replace(/\/AGENT\.md$/, '') : path
    return { name, origin: 'project', path, text: '', findings: [{ level: 'error', file, message }] }
  }
  const { agent, findings } = await examineAgent(path, read.text, skills)
  const said = agent?.name || name
  if (said !== name)
    findings.push({
      level: 'warning',
      file: path,
      message: `the name "${said}" is not that of its file, "${name}"`,
    })
  return { name: said, origin: 'project', path, text: read.text, ...(agent && { agent }), findings }
}

/** What lists show of an agent file. */
export const lineShape = () =>
  v.object({
    name: v.string(),
    origin: v.picklist(['project', 'shipped']),
    path: v.optional(v.string()),
    model: v.optional(v.string()),
    skills: v.optional(v.array(v.string())),
    errors: v.optional(v.number()),
  })

export const toLine = ({ name, origin, path, agent, findings }: FoundAgent) => {
  const errors = findings.filter(({ level }) => level === 'error').length
  return {
    name,
    origin,
    ...(origin === 'project' && { path }),
    ...(agent?.model && { model: agent.model }),
    ...(agent?.skills.length && { skills: agent.skills }),
    ...(errors > 0 && { errors }),
  }
}
