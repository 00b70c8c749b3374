import { closed, type Stage } from '../kernel/task.ts'
import type { Project } from '../operation/context.ts'
import { protocolChooser } from '../skills/choose-skill.ts'
import { openCatalogue } from '../skills/skill-catalogue.ts'
import type { Db } from '../store/port.ts'
import * as lists from '../tasks/sql/lists.ts'
import * as moves from './sql.ts'

export interface StageWork {
  done: number
  open: moves.StageTask[]
}

export type ReadStageWork = (db: Db, epic: string, stage: Stage) => Promise<StageWork>

/**
 * Returns a function that reads the tasks of one stage. For a task without a stage, a protocol decides the stage. This
 * is the protocol of the task's last spawn. If the task was never spawned, it is the protocol that dispatch would
 * choose. Skills are loaded here, before any transaction starts.
 */
export const stageWorkReader = async (project: Project): Promise<ReadStageWork> => {
  const chooseProtocol = protocolChooser(project, await openCatalogue(project))
  return async (db, epic, stage) => {
    const work = await moves.work(db, epic)
    const unclear = work.flatMap((task) => ((task.stage ?? task.protocol) ? [] : [task.id]))
    const labels = await lists.readMany(db, 'labels', unclear)
    // Leave out the declared files, because only type, title and labels decide the protocol.
    const dispatched = ({ id, type, title }: moves.StageTask): Stage =>
      chooseProtocol({ type, title, labels: labels.get(id) ?? [], files: [] })
    const ofStage = work.filter((task) => (task.stage ?? task.protocol ?? dispatched(task)) === stage)
    return {
      done: ofStage.filter(({ status }) => status === 'done').length,
      open: ofStage.filter(({ status }) => !closed(status)),
    }
  }
}
