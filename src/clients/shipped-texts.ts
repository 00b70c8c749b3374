import { agentTexts } from '../agents/generated/agents.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { normalised } from '../kernel/text.ts'
import { joinFrontMatter, splitFrontMatter } from '../markdown/front-matter.ts'
import { loadShipped } from '../skills/generated/skills.ts'

/** The skill for the orchestrator of an epic. Agents get all other skills in the prompts that `cleo spawn` makes. */
export const installedSkill = 'ct-orchestrator'

export const skillText = async (): Promise<string> => joinFrontMatter((await loadShipped(installedSkill))!)

/**
 * The MCP tools of CLEO that a subagent uses. Claude Code hides every tool that is not in the `tools:` list of the
 * agent file.
 */
const mcpTools = [
  'query',
  'mutate',
  'show',
  'find',
  'focus_set',
  'manifest_append',
  'verify',
  'verify_gate',
  'finish',
  'complete',
  'note',
]

export const agentFile = (client: AgentClient, worktrees: string | undefined): string => {
  const { description, body } = shippedAgent()
  if (client === 'codex')
    return `name = "cleo-subagent"\ndescription = ${JSON.stringify(description)}\ndeveloper_instructions = '''\n${body.trim()}\n'''\n`
  return `---\n${fieldsFor(client, description, worktrees).join('\n')}\n---\n\n${body.trim()}\n`
}

const shippedAgent = (): { description: string; body: string } => {
  const text = normalised(agentTexts['cleo-subagent']!)
  const divided = splitFrontMatter(text)
  if (!divided.ok) throw new Error('the shipped agent file has no front matter')
  const folded = /^description: >-\n((?: {2}.*\n)+)/m.exec(divided.frontMatter)?.[1] ?? ''
  return { description: folded.replace(/\s+/g, ' ').trim(), body: divided.body }
}

const fieldsFor = (client: AgentClient, description: string, worktrees: string | undefined): string[] => {
  const named = ['name: cleo-subagent', `description: ${JSON.stringify(description)}`]
  switch (client) {
    case 'claude': {
      const own = ['Read', 'Write', 'Edit', 'Bash', 'WebFetch', 'WebSearch']
      const tools = [...own, ...mcpTools.map((tool) => `mcp__cleo__${tool}`)]
      return [...named, 'tools:', ...tools.map((tool) => `  - ${tool}`), 'model: inherit']
    }
    case 'gemini':
      return [...named, 'kind: local']
    case 'opencode':
      return [
        named[1]!,
        'mode: subagent',
        ...(worktrees
          ? ['permission:', '  external_directory:', `    ${JSON.stringify(`${worktrees}/**`)}: allow`]
          : []),
      ]
    case 'cursor':
      return [...named, 'model: inherit']
    default:
      return named
  }
}

/** The part of the instruction file that says how to work with CLEO. It is the same for every client. */
export const instructionBlock = `## Tasks in CLEO

The tasks of this project are in CLEO: \`cleo status\`, \`cleo next\`, \`cleo show T001\`.

- To lead an epic, use the skill \`${installedSkill}\`: \`cleo ready\` lists what can start, \`cleo spawn T002 --ref\` makes the
  prompt, an agent of the type \`cleo-subagent\` gets the line it prints, and \`cleo receive T002 --message "<its last line>"\`
  checks the work. Do no task yourself, and do not read the prompts or reports.
- As a subagent, follow the prompt you were given to its end. CLEO decides from files and evidence whether a task is done.
- Do what the \`fix:\` of a refusal says. \`cleo trust\`, \`cleo setup\`, waivers and the inbox are for the person: ask.
- No time estimates. Sizes: small (one function, clear path), medium (several components, some unknowns), large
  (cross-cutting, significant unknowns).
`
