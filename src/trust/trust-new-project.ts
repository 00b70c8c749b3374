import type { DetectedCommand, Project } from '../operation/context.ts'
import { record } from '../project/trust-records.ts'
import { detectedItems, detectedTool } from '../project-commands/project-commands.ts'
import { setUpItems } from '../worktrees/set-up-trust.ts'

/** Marks a project as made by a person on this machine, and trusts the commands and the set-up detected in it. */
export const trustNewProject = async (project: Project): Promise<DetectedCommand[]> => {
  const commands = await detectedItems(project)
  const setUp = await setUpItems(project)
  await record(project, [...commands, ...setUp])
  return [
    ...commands.map(({ name, what }) => ({ tool: detectedTool(name), what })),
    ...setUp.map(({ name, what }) => ({ tool: name, what })),
  ]
}
