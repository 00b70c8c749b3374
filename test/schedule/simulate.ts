import { random } from '../reliability/random.ts'
import { SimDriver } from './simulated-driver.ts'
import { SimWorld } from './simulated-world.ts'

/**
 * Plays one run of a random graph to its end, with crashes, pauses and resumes on the way. Returns what went wrong, if
 * anything.
 */
export const simulate = (seed: number): string | undefined => {
  const chance = random(seed)
  const world = new SimWorld(chance)
  const drivers: SimDriver[] = [new SimDriver(world, 0)]
  let trouble = chance.below(10)
  for (let turn = 0; turn < 3000; turn++) {
    world.at += chance.below(50) === 0 ? chance.below(86_400_000) : chance.below(400)
    for (const driver of drivers) if (!driver.isPaused) driver.act()
    world.agentsAct((agent) => {
      for (const driver of drivers) driver.noticeEnd(agent)
    })
    const broken = world.broken()
    if (broken) return broken
    if (trouble > 0 && chance.below(12) === 0) {
      trouble--
      disturb(world, drivers)
    } else if (trouble === 0) for (const driver of drivers) driver.isPaused = false
    for (let n = drivers.length - 1; n >= 0; n--) {
      if (!drivers[n]!.isGone) continue
      world.driverGone(drivers[n]!.number)
      drivers.splice(n, 1)
    }
    const isDriven = drivers.some(({ epoch, isPaused }) => epoch === world.epoch && !isPaused)
    if (isDriven) continue
    if (world.runState !== 'running' && isAtRest(world)) {
      if (drivers.length === 0) break
    } else drivers.push(new SimDriver(world, world.epoch + 1))
  }
  return leftOver(world)
}

/** Kills, pauses, wakes or stops a driver, or acts as a person who cancels a task or answers a question. */
const disturb = (world: SimWorld, drivers: SimDriver[]): void => {
  const { chance } = world
  const driver = drivers[chance.below(drivers.length)]
  const what = chance.weighted({ kill: 4, pause: 4, wake: 4, cancel: 1, answer: 2, drain: 1, stop: 1 })
  if (what === 'kill' || what === 'pause' || what === 'wake' || what === 'drain' || what === 'stop') {
    if (!driver) return
    if (what === 'kill') driver.isGone = true
    else if (what === 'drain' || what === 'stop') driver.results.push({ kind: what, why: 'a person' })
    else driver.isPaused = what === 'pause'
  } else {
    world.isDisturbed = true
    const task = chance.pick([...world.tasks.values()])
    if (what === 'cancel' && task.status === 'open') {
      Object.assign(task, { status: 'cancelled', isOut: false })
      for (const each of drivers) each.results.push({ kind: 'taken', task: task.id, by: 'taken' })
    } else if (what === 'answer' && task.status === 'blocked') {
      task.status = 'open'
      world.failures.delete(task.id)
      for (const each of drivers) each.results.push({ kind: 'answered', task: task.id })
    }
  }
}

/** Whether a resume would find nothing to do. */
const isAtRest = (world: SimWorld): boolean =>
  world.ready(1).length === 0 &&
  [...world.tasks.values()].every(({ isOut, status }) => !isOut || status !== 'open')

/** Checks the end of a run: every task is merged, cancelled, or waits for a person, itself or through a dependency. */
const leftOver = (world: SimWorld): string | undefined => {
  const settled = (id: string): boolean => {
    const task = world.tasks.get(id)!
    if (task.status !== 'open') return true
    return !task.isOut && task.depends.some((each) => waitsForPerson(world, each))
  }
  for (const task of world.tasks.values()) {
    if (!settled(task.id)) return `${task.id} is lost: ${task.status}${task.isOut ? ', out' : ''}`
    if (task.attempt > 60) return `${task.id} had ${task.attempt} attempts`
  }
  const orphan = world.agents.find(({ works, isRecorded }) => works && !isRecorded)
  if (orphan) return `${orphan.spawn} still works, and nobody knows of it`
  const last = world.agents.find(({ works }) => works)
  return last && `${last.spawn} still works after the end of the run`
}

const waitsForPerson = (world: SimWorld, id: string): boolean => {
  const task = world.tasks.get(id)!
  if (task.status === 'blocked') return true
  return task.status === 'open' && task.depends.some((each) => waitsForPerson(world, each))
}
