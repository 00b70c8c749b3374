import * as v from 'valibot'
import { nearest } from '../../kernel/nearest.ts'
import { fail, ok } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { problemWarnings } from '../../skills/skill-summary.ts'
import { agentSummary, discoverAgents, toSummary } from '../discover-agents.ts'

export const show = operation({
  name: 'agents.show',
  kind: 'query',
  tier: 1,
  summary: 'Show an agent file: its fields and its text.',
  input: v.strictObject({ name: describe(text(100), 'the agent') }),
  output: () =>
    v.object({
      ...agentSummary().entries,
      description: v.optional(v.string()),
      tools: v.optional(v.array(v.string())),
      allowed_commands: v.optional(v.array(v.string())),
      /** The text below the front matter. */
      text: v.string(),
    }),
  errors: ['agent.unknown'],
  needs: 'project',
  cli: { command: 'agent show', positional: ['name'], examples: ['cleo agent show cleo-subagent'] },
  human: ({ name, origin, path, text }, style) => [
    `${style.cyan(name)} ${style.dim(path ?? origin)}`,
    '',
    ...text.trimEnd().split('\n'),
  ],
  async run({ name }, project) {
    const agents = await discoverAgents(project)
    const named = agents.filter((each) => each.name === name)
    // In `cleo agent show x > x.md`, the shell empties the project's own file before CLEO reads it. An empty file has
    // no front matter, so prefer a file with front matter.
    const found = named.find(({ agent }) => agent) ?? named[0]
    if (!found) {
      const near = nearest(
        name,
        agents.map((each) => each.name),
      )
      return fail('agent.unknown', { name, near })
    }
    const { agent, text, findings } = found
    const value = {
      ...toSummary(found),
      ...(agent && { description: agent.description, tools: agent.tools }),
      ...(agent?.allowed_commands && { allowed_commands: agent.allowed_commands }),
      text,
    }
    return ok(value, { warnings: problemWarnings(findings) })
  },
})
