import { setTimeout as sleep } from 'node:timers/promises'
import { openProject } from '../../src/index.ts'

/** An agent that takes work until there is none, and says on standard output what was acknowledged. */
const [, , root = '', agent = '', hangMs = '0', hangShare = '0.1', seed = '1'] = process.argv
let state = Number(seed)
const random = (): number => {
  state = (state * 1103515245 + 12345) % 2147483648
  return state / 2147483648
}
const project = openProject({ project: root, as: agent })
const say = (line: string) => process.stdout.write(`${line}\n`)

for (let idle = 0; idle < 60; ) {
  const next = await project.call('orchestrate.ready', { limit: 16 })
  const tasks = next.ok ? next.value.tasks : []
  const task = tasks[Math.floor(random() * tasks.length)]
  if (!task) {
    idle++
    await sleep(50)
    continue
  }
  const started = performance.now()
  const taken = await project.call('focus.set', { id: task.id })
  if (!taken.ok) continue
  idle = 0
  const word = `${agent}-${Math.floor(random() * 1e9)}`
  const noted = await project.call('tasks.note', { id: task.id, text: word })
  if (noted.ok) say(`note ${task.id} ${word}`)
  // On a busy machine the others take longer to find the task whose claim has expired, so the pause grows with it.
  const pace = performance.now() - started
  if (random() < Number(hangShare)) await sleep(Number(hangMs) + 20 * pace)
  const done = await project.call('tasks.complete', { id: task.id })
  if (!done.ok) say(`refused ${task.id} ${done.code}`)
  else say(`${'noChange' in done.value ? 'late' : 'done'} ${task.id}`)
}
await project.close()
