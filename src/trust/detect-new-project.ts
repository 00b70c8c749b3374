import type { DetectedCommand, Project } from '../operation/context.ts'
import { record } from '../project/trust-records.ts'
import { detectedItems, detectedTool, isDetected } from '../project-commands/project-commands.ts'
import { setUpItems } from '../worktrees/set-up-trust.ts'

/**
 * Returns the commands and the set-up that CLEO detects in a project. With `trust`, also trusts them and records that
 * a person made the project on this machine.
 */
export const detectNewProject = async (
  project: Project,
  { trust }: { trust: boolean },
): Promise<DetectedCommand[]> => {
  const items = [...(await detectedItems(project)), ...(await setUpItems(project))]
  if (trust) await record(project, items)
  return items.map((item) => ({
    tool: isDetected(item) ? detectedTool(item.name) : item.name,
    what: item.what,
  }))
}
