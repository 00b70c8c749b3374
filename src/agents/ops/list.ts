import * as v from 'valibot'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { agentSummary, discoverAgents, toSummary } from '../discover-agents.ts'

export const list = operation({
  name: 'agents.list',
  kind: 'query',
  tier: 1,
  summary: 'List agent files. If two files define the same agent, CLEO uses the first one.',
  input: v.strictObject({}),
  output: () => v.object({ agents: v.array(agentSummary()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'agent list', examples: ['cleo agent list'] },
  human: ({ agents }, style) =>
    style.table(
      agents.map(({ name, origin, path, model, skills, errors }) => [
        style.cyan(name),
        path ?? style.dim(origin),
        style.dim(model ?? ''),
        errors
          ? style.red(`${errors} ${errors === 1 ? 'error' : 'errors'}; see: cleo agent validate`)
          : (skills?.join(', ') ?? ''),
      ]),
      3,
    ),
  run: async (_, project) => ok({ agents: (await discoverAgents(project)).map(toSummary) }),
})
