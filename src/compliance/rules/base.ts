import type { RuleFacts } from './rule-facts.ts'
import {
  entryRule,
  fail,
  firstFew,
  lastEntry,
  notApplicable,
  pass,
  type Rules,
  type Ruling,
  respawnFix,
  reviseFix,
} from './ruling.ts'

export const base: Rules = {
  'BASE-001': (facts) => {
    const { entries, spawn } = facts
    const ids = entries.map(({ id }) => id)
    // Do not count a revision, because it replaces the entry that it revises.
    const own = entries.filter(({ body }) => !ids.includes(String(body['revises'])))
    if (own.length === 1) return pass(ids.at(-1)!)
    return own.length === 0
      ? fail(`${spawn} appended no entry`, respawnFix(facts))
      : fail(`${spawn} appended ${own.length} entries: ${firstFew(ids)}`)
  },

  'BASE-002': (facts) => {
    const { returned } = facts
    if (!returned) return notApplicable('the return of the subagent has not been received yet')
    if (returned.allowed === undefined) return notApplicable(returned.why)
    if (returned.allowed) return pass(returned.why)
    return returned.accepted
      ? { result: 'warning', fact: `${returned.why}; the work was accepted` }
      : fail(returned.why, respawnFix(facts))
  },

  'BASE-003': (facts) => {
    const { task, spawn, log } = facts
    if (task.type === 'epic') return notApplicable('an epic is done when its tasks are done')
    if (task.status !== 'done' && facts.breakdown?.parents.some(({ id }) => id === task.id))
      return notApplicable(`${task.id} was split and is done with its last child`)
    if (task.status === 'cancelled') return notApplicable(`${task.id} was cancelled`)
    if (lastEntry(facts)?.status === 'blocked') return blockedTask(facts)
    const done = log.findLast(({ to }) => to === 'done')
    if (task.status !== 'done' && done) return notApplicable(`${task.id} was done and then reopened`)
    if (task.status !== 'done')
      return fail(
        `${task.id} is ${task.status}`,
        lastEntry(facts) && `cleo complete ${task.id} --as ${spawn}`,
      )
    if (!done) return fail(`the log does not say who completed ${task.id} after ${spawn} was spawned`)
    const by = `done by ${done.actor} with ${done.operation}`
    return finishingOperations.includes(done.operation) ? pass(by) : fail(by)
  },

  'BASE-004': entryRule(({ id, sha256 }, { file }) => {
    const show = `cleo manifest show ${id}`
    if (sha256 === null) return fail(`there was no file when ${id} was ingested`, show)
    if (!file) return fail(`${id} names no file`, show)
    if (file.state === 'there') return pass(`${file.path}, unchanged since ${id}`)
    return fail(
      `${file.path} ${file.state === 'missing' ? (file.why ?? 'does not exist') : `has changed since ${id} was stored`}`,
      show,
    )
  }),

  'BASE-005': ({ task, spawn, log }) => {
    const focus = log.findIndex(({ operation, actor }) => operation === 'focus.set' && actor === spawn)
    const done = log.findLastIndex(({ to }) => to === 'done')
    const set = `cleo focus set ${task.id} --as ${spawn}`
    if (focus < 0) return fail(`${spawn} never set focus`, task.status === 'done' ? undefined : set)
    return done >= 0 && done < focus
      ? fail(`${spawn} set focus only after ${task.id} was done`)
      : pass(`${spawn} set focus${done >= 0 ? ` before ${task.id} was done` : ''}`)
  },

  'BASE-006': (facts) => {
    const { mentions, gates, criteria, task } = facts
    const broken = [
      ...gates.filter(({ state }) => state === 'stale' || state === 'failed'),
      ...criteria
        .filter(({ state }) => state === 'stale')
        .map((each) => ({ ...each, gate: `criterion ${each.n}` })),
    ].map(({ gate, state, why }) => `${gate} ${state}${why ? ` (${why})` : ''}`)
    const missing = mentions.missing.map((what) => `there is no ${what}`)
    if (broken.length + missing.length > 0)
      return fail(
        firstFew([...missing, ...broken]),
        broken.length > 0 ? `cleo verify ${task.id}` : reviseFix(facts, ' --finding "<one sentence>"'),
      )
    if (mentions.doubtful.length > 0)
      return {
        result: 'warning',
        fact: `the output file mentions things that do not exist: ${firstFew(mentions.doubtful)}`,
      }
    return mentions.checked > 0
      ? pass(`everything that the work mentions exists (${mentions.checked} checked)`)
      : notApplicable('the work mentions nothing that can be checked')
  },

  'BASE-007': entryRule(({ id }, { linked, task }) =>
    linked
      ? pass(`${id} is linked to ${task.id}`)
      : fail(`${id} is not linked to ${task.id}`, `cleo research link ${task.id} ${id}`),
  ),
}

const finishingOperations = ['tasks.finish', 'tasks.complete', 'orchestrate.receive']

const blockedTask = ({ task }: RuleFacts): Ruling =>
  task.status === 'done'
    ? fail(`the entry says blocked, but ${task.id} is done`, `cleo log --task ${task.id}`)
    : notApplicable(`the entry says blocked; ${task.id} is ${task.status}`)
