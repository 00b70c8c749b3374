import type { DetectedCommand, Project } from '../operation/context.ts'
import { record } from '../project/trust-records.ts'
import { detectedItems, detectedTool } from '../project-commands/project-commands.ts'

/** Marks a project as made by a person on this machine, and trusts the commands detected in it. */
export const trustNewProject = async (project: Project): Promise<DetectedCommand[]> => {
  const items = await detectedItems(project)
  await record(project, items)
  return items.map(({ name, what }) => ({ tool: detectedTool(name), what }))
}
