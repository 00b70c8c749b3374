import { openProject } from '../../src/index.ts'
import { mixedWrites, type Told } from './mixed-writes.ts'
import { random } from './random.ts'

export interface WriteUntilAskedOptions {
  project: string
  name: string
  seed: number
  newest: number
}

/** Writes through the library until its input ends, and reports every answer. */
export const writeUntilAsked = async (
  { project, name, seed, newest }: WriteUntilAskedOptions,
  tell: (told: Told) => void,
): Promise<void> => {
  let asked = false
  process.stdin.on('end', () => {
    asked = true
  })
  process.stdin.resume()
  const opened = openProject({ project, as: name })
  const series = mixedWrites(random(seed), name, newest)
  while (!asked) {
    const write = series.next()
    const answer = await opened.call(write.op, write.input as never)
    if (answer.ok) tell({ acknowledged: series.learn(write, answer.value) })
    else tell({ refused: answer.exit, code: answer.code, op: write.op })
    // Gives Node time to notice the end of the input.
    await new Promise((resolve) => setImmediate(resolve))
  }
  await opened.close()
}
