import * as v from 'valibot'
import type { Ink } from '../../model/ink.ts'
import { ok } from '../../model/result.ts'
import { operation } from '../operation.ts'
import { Limit } from '../paging.ts'
import { From, pageFrom } from '../skills/line.ts'
import { discoverAgents, type FoundAgent } from './discover-agents.ts'

export const lineShape = () =>
  v.object({
    name: v.string(),
    origin: v.picklist(['project', 'shipped']),
    path: v.optional(v.string()),
    model: v.optional(v.string()),
    skills: v.optional(v.array(v.string())),
    shadows: v.optional(v.array(v.string())),
    errors: v.optional(v.number()),
  })
type AgentLine = v.InferOutput<ReturnType<typeof lineShape>>

export const list = operation({
  name: 'agents.list',
  kind: 'query',
  tier: 1,
  summary: 'List the agent files there are, and where each came from.',
  input: v.strictObject({ limit: v.optional(Limit, 50), after: v.optional(From) }),
  output: () => v.object({ agents: v.array(lineShape()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'agent list', examples: ['cleo agent list'] },
  human: ({ agents }, ink) => draw(agents, ink),
  async run({ limit, after }, project) {
    const { shown, page } = pageFrom(firstOfEach(await discoverAgents(project)), limit, after)
    return ok({ agents: shown }, { page })
  },
})

const firstOfEach = (found: readonly FoundAgent[]): AgentLine[] => {
  const lines = new Map<string, AgentLine>()
  for (const each of found) {
    const first = lines.get(each.name)
    if (!first) lines.set(each.name, toLine(each))
    else first.shadows = [...(first.shadows ?? []), each.origin === 'shipped' ? 'shipped' : each.path]
  }
  return [...lines.values()]
}

export const toLine = ({ name, origin, path, agent, findings }: FoundAgent): AgentLine => {
  const errors = findings.filter(({ level }) => level === 'error').length
  return {
    name,
    origin,
    ...(origin === 'project' && { path }),
    ...(agent?.model && { model: agent.model }),
    ...(agent && agent.skills.length > 0 && { skills: agent.skills }),
    ...(errors > 0 && { errors }),
  }
}

const draw = (agents: readonly AgentLine[], ink: Ink): string[] =>
  ink.table(
    agents.map(({ name, origin, path, model, skills, shadows, errors }) => [
      ink.cyan(name),
      path ?? ink.dim(origin),
      ink.dim(model ?? ''),
      [
        ...(errors ? [ink.red(`${errors} wrong; see: cleo agent validate`)] : []),
        ...(skills ? [`skills ${skills.join(', ')}`] : []),
        ...(shadows ? [ink.dim(`shadows ${shadows.join(', ')}`)] : []),
      ].join('; '),
    ]),
    3,
  )
