import { openProject } from '../../src/index.ts'
import { mixedWrites, type Told } from './mixed-writes.ts'
import { random } from './random.ts'

export interface WriteManyOptions {
  project: string
  name: string
  seed: number
  writes: number
  newest: number
}

/** Writes through the library as fast as it can. */
export const writeMany = async (options: WriteManyOptions, tell: (told: Told) => void): Promise<void> => {
  const { project, name, seed, writes, newest } = options
  const opened = openProject({ project, as: name })
  const series = mixedWrites(random(seed), name, newest)
  for (let i = 0; i < writes; i++) {
    const write = series.next()
    const answer = await opened.call(write.op, write.input as never)
    if (answer.ok) tell({ acknowledged: series.learn(write, answer.value) })
    else tell({ refused: answer.exit, code: answer.code, op: write.op })
  }
  await opened.close()
}
