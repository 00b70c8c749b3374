import { ratio } from './measure.ts'
import type { Programs } from './programs.ts'
import type { Row } from './table.ts'
import type { Place } from './trials.ts'

const commands = {
  help: ['help'],
  'help of a command': ['add', '--help'],
  config: ['config', 'list'],
  completion: ['completion', 'bash'],
}

/** Measures commands that print text and need no store, and compares them with a program that writes one line. */
export const textCosts = (programs: Programs, { folder, env }: Place, rounds: number): Row[] => {
  const call = (program: string, args: string[]) => () => ({ program, args, cwd: folder, env })
  const [line, ...costs] = programs.clock.interleave(
    [
      { name: 'bare line', call: call(programs.line, []) },
      ...Object.entries(commands).map(([name, args]) => ({ name, call: call(programs.cleo, args) })),
    ],
    rounds,
  )
  return Object.keys(commands).map((name, i) => {
    const { wall, cpu } = ratio(costs[i], line)
    return { name: `${name} / bare line`, values: [wall], cpu: [cpu] }
  })
}
