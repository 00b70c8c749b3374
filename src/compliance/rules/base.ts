import type { Observed } from './observed.ts'
import { fail, lastEntry, na, ofEntry, pass, type Rules, type Ruling, respawnFix, some } from './ruling.ts'

export const base: Rules = {
  'BASE-001': (seen) => {
    const { entries, spawn } = seen
    const ids = entries.map(({ id }) => id)
    // A revision takes the place of what it revises.
    const own = entries.filter(({ body }) => !ids.includes(String(body['revises'])))
    if (own.length === 1) return pass(ids.at(-1)!)
    return own.length === 0
      ? fail(`${spawn} appended no entry`, respawnFix(seen))
      : fail(`${spawn} appended ${own.length} entries: ${some(ids)}`)
  },

  'BASE-002': (seen) => {
    const { returned } = seen
    if (!returned) return na('what it returned was not received')
    return returned.allowed ? pass(returned.why) : fail(returned.why, respawnFix(seen))
  },

  'BASE-003': (seen) => {
    const { task, spawn, log } = seen
    if (task.type === 'epic') return na('an epic is done when its tasks are')
    if (task.status === 'cancelled') return na(`${task.id} was cancelled`)
    if (lastEntry(seen)?.status === 'blocked') return blockedTask(seen)
    const done = log.findLast(({ to }) => to === 'done')
    if (task.status !== 'done' && done) return na(`${task.id} was done, and opened again`)
    if (task.status !== 'done')
      return fail(`${task.id} is ${task.status}`, lastEntry(seen) && `cleo complete ${task.id} --as ${spawn}`)
    if (!done) return fail(`nothing tells who completed ${task.id} after ${spawn} was sent`)
    const by = `done by ${done.actor} with ${done.operation}`
    return finishing.includes(done.operation) ? pass(by) : fail(by)
  },

  'BASE-004': ofEntry(({ id, sha256 }, { file }) => {
    const look = `cleo manifest show ${id}`
    if (sha256 === null) return fail(`there was no file when ${id} came`, look)
    if (!file) return fail(`${id} names no file`, look)
    if (file.state === 'there') return pass(`${file.path}, unchanged since ${id}`)
    return fail(
      `${file.path} ${file.state === 'missing' ? (file.why ?? 'is not there') : `has changed since ${id}`}`,
      look,
    )
  }),

  'BASE-005': ({ task, spawn, log }) => {
    const focus = log.findIndex(({ operation, actor }) => operation === 'focus.set' && actor === spawn)
    const done = log.findLastIndex(({ to }) => to === 'done')
    const set = `cleo focus set ${task.id} --as ${spawn}`
    if (focus < 0) return fail(`${spawn} never set focus`, task.status === 'done' ? undefined : set)
    return done >= 0 && done < focus
      ? fail(`${spawn} set focus only after ${task.id} was done`)
      : pass(`${spawn} set focus${done >= 0 ? ' before it was done' : ''}`)
  },

  'BASE-006': (seen) => {
    const { named, gates, criteria, task } = seen
    const broken = [
      ...gates.filter(({ state }) => state === 'stale' || state === 'failed'),
      ...criteria
        .filter(({ state }) => state === 'stale')
        .map((each) => ({ ...each, gate: `criterion ${each.n}` })),
    ].map(({ gate, state, why }) => `${gate} ${state}${why ? ` (${why})` : ''}`)
    const missing = named.missing.map((what) => `there is no ${what}`)
    if (broken.length + missing.length > 0)
      return fail(some([...missing, ...broken]), `cleo verify ${task.id}`)
    if (named.doubtful.length > 0)
      return { result: 'warning', fact: `the output file names what is not there: ${some(named.doubtful)}` }
    return named.looked > 0
      ? pass(`what it names is there, ${named.looked} looked up`)
      : na('it names nothing that can be looked up')
  },

  'BASE-007': ofEntry(({ id }, { linked, task }) =>
    linked
      ? pass(`${id} is linked to ${task.id}`)
      : fail(`${id} is not linked to ${task.id}`, `cleo research link ${task.id} ${id}`),
  ),
}

const finishing = ['tasks.complete', 'orchestrate.receive']

const blockedTask = ({ task }: Observed): Ruling =>
  task.status === 'done'
    ? fail(`its entry says blocked, but ${task.id} is done`, `cleo log --task ${task.id}`)
    : na(`its entry says blocked; ${task.id} is ${task.status}`)
