import * as v from 'valibot'
import { readInside } from '../host/safe-read.ts'
import { foldersIn } from '../host/stat.ts'
import type { FileFinding } from '../kernel/file-finding.ts'
import type { Project } from '../operation/context.ts'
import { openCatalogue } from '../skills/skill-catalogue.ts'
import { mostAgentBytes } from './project-agent.ts'
import { type Agent, validateAgent } from './validate-agent.ts'

export interface DiscoveredAgent {
  /**
   * The name in the front matter. If the front matter has no name, an AGENT.md gets the name of its folder, and any
   * other file gets its file name.
   */
  name: string
  origin: 'project' | 'shipped'
  path: string
  text: string
  agent?: Agent
  findings: FileFinding[]
}

/** Reads and validates the agent files of the project, then the agent files that come with CLEO. */
export const discoverAgents = async (project: Project): Promise<DiscoveredAgent[]> => {
  const { root } = project
  const files = [
    ...(foldersIn(`${root}/agents`) ?? []).map(({ name }) => ({ name, path: `agents/${name}/AGENT.md` })),
    ...project.host.files
      .list(`${root}/.claude/agents`)
      .filter((file) => file.endsWith('.md'))
      .map((file) => ({ name: file.slice(0, -3), path: `.claude/agents/${file}` })),
  ]
  const skills = await knownSkills(project)
  const agents: DiscoveredAgent[] = []
  for (const { name, path } of files) agents.push(await readAgent(root, path, name, skills))
  const { agentTexts } = await import('./generated/agents.ts')
  for (const [name, text] of Object.entries(agentTexts)) {
    const path = `agents/${name}/AGENT.md`
    agents.push({ name, origin: 'shipped', path, text, ...(await validateAgent(path, text, skills)) })
  }
  return agents
}

export const knownSkills = async (project: Project): Promise<Set<string>> =>
  new Set((await openCatalogue(project)).list().map(({ name }) => name))

export const readAgent = async (
  folder: string,
  path: string,
  name: string,
  skills: ReadonlySet<string>,
): Promise<DiscoveredAgent> => {
  const read = readInside(folder, path, mostAgentBytes)
  if (!read.ok) {
    const message = read.missing ? 'has no AGENT.md' : `${read.why}, so the agent cannot be used`
    const file = read.missing ? path.replace(/\/AGENT\.md$/, '') : path
    return { name, origin: 'project', path, text: '', findings: [{ level: 'error', file, message }] }
  }
  const { agent, findings } = await validateAgent(path, read.text, skills)
  const declared = agent?.name || name
  if (declared !== name)
    findings.push({
      level: 'warning',
      file: path,
      message: `the name "${declared}" differs from the name of the file, "${name}"`,
    })
  return { name: declared, origin: 'project', path, text: read.text, ...(agent && { agent }), findings }
}

export const agentSummary = () =>
  v.object({
    name: v.string(),
    origin: v.picklist(['project', 'shipped']),
    path: v.optional(v.string()),
    model: v.optional(v.string()),
    skills: v.optional(v.array(v.string())),
    /** How many errors the file has. */
    errors: v.optional(v.number()),
  })

export const toSummary = ({ name, origin, path, agent, findings }: DiscoveredAgent) => {
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
