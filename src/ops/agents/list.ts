import * as v from 'valibot'
import { ok } from '../../model/result.ts'
import { operation } from '../operation.ts'
import { discoverAgents, type FoundAgent } from './discover-agents.ts'

export const lineShape = () =>
  v.object({
    name: v.string(),
    origin: v.picklist(['project', 'shipped']),
    path: v.optional(v.string()),
    model: v.optional(v.string()),
    skills: v.optional(v.array(v.string())),
    errors: v.optional(v.number()),
  })

export const list = operation({
  name: 'agents.list',
  kind: 'query',
  tier: 1,
  summary: 'List the agent files there are; of two with one name the first counts.',
  input: v.strictObject({}),
  output: () => v.object({ agents: v.array(lineShape()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'agent list', examples: ['cleo agent list'] },
  human: ({ agents }, ink) =>
    ink.table(
      agents.map(({ name, origin, path, model, skills, errors }) => [
        ink.cyan(name),
        path ?? ink.dim(origin),
        ink.dim(model ?? ''),
        errors ? ink.red(`${errors} wrong; see: cleo agent validate`) : (skills?.join(', ') ?? ''),
      ]),
      3,
    ),
  run: async (_, project) => ok({ agents: (await discoverAgents(project)).map(toLine) }),
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
