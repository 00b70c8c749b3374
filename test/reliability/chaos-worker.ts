import { setTimeout as sleep } from 'node:timers/promises'
import { openProject } from '../../src/index.ts'

/** An agent that works until no task is left. It prints every acknowledged write on standard output. */
const [, , root = '', agent = '', hangShare = '0.1', seed = '1'] = process.argv
let state = Number(seed)
const random = (): number => {
  state = (state * 1103515245 + 12345) % 2147483648
  return state / 2147483648
}
const project = openProject({ project: root, as: agent })
// Read as another actor, because a command of the agent itself would renew its claim.
const onlooker = openProject({ project: root, as: 'onlooker' })
const say = (line: string) => process.stdout.write(`${line}\n`)
/** If all agents hang at once, no other agent takes a task. Leases end after 1.2 seconds: see `playChaos`. */
const longestHangMs = 5000
/** Working takes longer than the pause of a hanging agent. So a late agent comes back while its successor works. */
const workMs = 100

/** Hangs as an agent might: does nothing until its lease has expired and another agent has taken the task. */
const hang = async (id: string): Promise<void> => {
  for (const started = performance.now(); performance.now() - started < longestHangMs; ) {
    await sleep(20)
    const shown = await onlooker.call('tasks.show', { id })
    if (!shown.ok) continue
    const { status, claim } = shown.value
    if (status === 'done' || (claim && claim.owner !== agent)) return
  }
}

for (let idle = 0; idle < 60; ) {
  const next = await project.call('orchestrate.ready', { limit: 16, shared: false })
  if (!next.ok) {
    // A failed answer does not mean that there is no work. The server might be restarting, which can take long.
    await sleep(50)
    continue
  }
  const { tasks } = next.value
  const task = tasks[Math.floor(random() * tasks.length)]
  if (!task) {
    idle++
    await sleep(50)
    continue
  }
  const taken = await project.call('focus.set', { id: task.id })
  if (!taken.ok) continue
  idle = 0
  const word = `${agent}-${Math.floor(random() * 1e9)}`
  const noted = await project.call('tasks.note', { id: task.id, text: word })
  if (noted.ok) say(`note ${task.id} ${word}`)
  await (random() < Number(hangShare) ? hang(task.id) : sleep(workMs))
  const done = await project.call('tasks.complete', { id: task.id })
  if (!done.ok) say(`refused ${task.id} ${done.code}`)
  else say(`${'noChange' in done.value ? 'late' : 'done'} ${task.id}`)
}
await onlooker.close()
await project.close()
