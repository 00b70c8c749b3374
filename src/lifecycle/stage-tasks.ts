import { closed, type Stage } from '../kernel/task.ts'
import type { Project } from '../operation/context.ts'
import { type Catalogue, openCatalogue } from '../skills/catalogue.ts'
import { choose } from '../skills/choose.ts'
import type { Db } from '../store/port.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as moves from './sql.ts'

export interface StageWork {
  done: number
  open: moves.StageTask[]
}

export type WorkAt = (db: Db, epic: string, stage: Stage) => Promise<StageWork>

/**
 * Tells the tasks of a stage from the others: by the stage a task was given, else the protocol it was last handed out with,
 * else the one it would be handed out with. The skills are read here, once, so that a transaction does not wait for them.
 */
export const stageReader = async (project: Project): Promise<WorkAt> => {
  const catalogue = await openCatalogue(project)
  return async (db, epic, stage) => {
    const work = await moves.work(db, epic)
    const unclear = work.flatMap((task) => ((task.stage ?? task.protocol) ? [] : [task.id]))
    const labels = await lists.readMany(db, 'labels', unclear)
    const here = work.filter(
      (task) =>
        (task.stage ?? task.protocol ?? dispatched(project, catalogue, task, labels.get(task.id))) === stage,
    )
    return {
      done: here.filter(({ status }) => status === 'done').length,
      open: here.filter(({ status }) => !closed(status)),
    }
  }
}

const dispatched = (
  project: Project,
  catalogue: Catalogue,
  { type, title, description }: moves.StageTask,
  labels: readonly string[] = [],
): Stage => choose(project, catalogue, { type, title, description, labels }).dispatched.protocol
