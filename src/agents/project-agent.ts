import { readInside } from '../host/safe-read.ts'
import { splitFrontMatter } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import { validateAgent } from './validate-agent.ts'

export interface ProjectAgent {
  name: string
  model?: string
  skills: string[]
  /** The path relative to the project. */
  path: string
}

export const mostAgentBytes = 256 * 1024

/** Reads the project's own file for an agent; undefined if there is no such file or the file cannot be used. */
export const findProjectAgent = async (
  { host, root }: Project,
  name: string,
): Promise<ProjectAgent | undefined> => {
  for (const path of [`agents/${name}/AGENT.md`, `.claude/agents/${name}.md`]) {
    if (host.files.sizeSeen(`${root}/${path}`) === 0) continue
    const read = readInside(root, path, mostAgentBytes)
    if (!read.ok) continue
    const divided = splitFrontMatter(read.text)
    if (!divided.ok) continue
    const { frontMatter } = divided
    const model = /^model:[ \t]*([\w.:/-]+)[ \t]*\r?$/m.exec(frontMatter)?.[1]
    // Most files list no skills. Skip the YAML parser for them.
    if (!/^["']?skills["']?[ \t]*:/m.test(frontMatter))
      return { name, ...(model && { model }), skills: [], path }
    const { agent } = await validateAgent(path, read.text)
    if (agent) return { name, ...(agent.model && { model: agent.model }), skills: agent.skills, path }
  }
  return undefined
}
