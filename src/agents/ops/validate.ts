import { basename, dirname, resolve } from 'node:path'
import * as v from 'valibot'
import { fail } from '../../kernel/result.ts'
import { describe, text } from '../../kernel/text.ts'
import type { Project } from '../../operation/context.ts'
import { drawFindings, findingsShape, reportFindings } from '../../operation/findings-report.ts'
import { operation } from '../../operation/operation.ts'
import { type DiscoveredAgent, discoverAgents, knownSkills, readAgent } from '../discover-agents.ts'

export const validate = operation({
  name: 'agents.validate',
  kind: 'query',
  tier: 1,
  summary: 'Check agent files.',
  input: v.strictObject({
    path: v.optional(describe(text(500), 'one file; default: all agent files of the project and of CLEO')),
  }),
  output: findingsShape,
  errors: ['file.unreadable', 'content.invalid'],
  needs: 'project',
  cli: {
    command: 'agent validate',
    positional: ['path'],
    examples: ['cleo agent validate', 'cleo agent validate .claude/agents/reviewer.md'],
  },
  human: drawFindings('agent file'),
  async run({ path }, project) {
    const found = path === undefined ? await discoverAgents(project) : await agentAt(project, path)
    if (!found) return fail('file.unreadable', { path: path!, reason: 'there is no such file' })
    return reportFindings(
      found.length,
      found.flatMap(({ findings }) => findings),
    )
  },
})

const agentAt = async (project: Project, path: string): Promise<DiscoveredAgent[] | undefined> => {
  const { files, cwd } = project.host
  const target = files.realPath(resolve(cwd, path))
  if (files.kind(target) !== 'file') return undefined
  const file = basename(target)
  const name = file === 'AGENT.md' ? basename(dirname(target)) : file.replace(/\.md$/, '')
  const found = await readAgent(dirname(target), file, name, await knownSkills(project))
  return [{ ...found, findings: found.findings.map((finding) => ({ ...finding, file: path })) }]
}
