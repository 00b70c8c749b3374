import { readInside } from '../host/safe-read.ts'
import { divide } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import { examineAgent } from './examine-agent.ts'

export interface ProjectAgent {
  name: string
  model?: string
  skills: string[]
  /** Below the project. */
  path: string
}

export const mostAgentBytes = 256 * 1024

/** What the project's own file for an agent brings along; nothing where it has none, or none that can be used. */
export const agentFor = async ({ host, root }: Project, name: string): Promise<ProjectAgent | undefined> => {
  for (const path of [`agents/${name}/AGENT.md`, `.claude/agents/${name}.md`]) {
    if (host.files.sizeSeen(`${root}/${path}`) === 0) continue
    const read = readInside(root, path, mostAgentBytes)
    if (!read.ok) continue
    const divided = divide(read.text)
    if (!divided.ok) continue
    const { frontMatter } = divided
    const model = /^model:[ \t]*([\w.:/-]+)[ \t]*\r?$/m.exec(frontMatter)?.[1]
    // Most bring none: those need no parser.
    if (!/^["']?skills["']?[ \t]*:/m.test(frontMatter))
      return { name, ...(model && { model }), skills: [], path }
    const { agent } = await examineAgent(path, read.text)
    if (agent) return { name, ...(agent.model && { model: agent.model }), skills: agent.skills, path }
  }
  return undefined
}
