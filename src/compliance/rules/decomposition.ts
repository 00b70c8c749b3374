import type { Part, Parts } from './observed.ts'
import {
  agentType,
  count,
  fail,
  type Judge,
  na,
  ofWork,
  pass,
  type Rules,
  type Ruling,
  respawnFix,
  some,
  unless,
} from './ruling.ts'

/** A rule about the tasks that were made; where there are none, that is told once. */
const ofParts = (judge: (parts: Parts) => Ruling): Judge =>
  ofWork((_, { spawn, parts }) =>
    parts && parts.tasks.length > 0 ? judge(parts) : na(`${spawn} made no tasks`),
  )

/** What each of the tasks has to keep. */
const each = (
  fine: (parts: Parts) => string,
  wrong: (part: Part, parts: Parts) => string | undefined,
): Judge =>
  ofParts((parts) =>
    unless(
      parts.tasks.flatMap((part) => {
        const what = wrong(part, parts)
        return what === undefined ? [] : [`${part.id} ${what}`]
      }),
      fine(parts),
    ),
  )

const tasks = ({ tasks }: Parts): string => count(tasks.length, 'task')

export const decomposition: Rules = {
  'DCMP-001': ofParts((parts) => {
    const first = new Map<string, string>()
    const twice = parts.tasks.flatMap(({ id, title }) => {
      const key = title.trim().toLowerCase().split(/\s+/).join(' ')
      const other = first.get(key)
      if (other === undefined) first.set(key, id)
      return other === undefined ? [] : [`${id} has the title of ${other}`]
    })
    return unless(twice, `${tasks(parts)}, no two with the same title`)
  }),

  'DCMP-002': ofWork((_, seen) => {
    const { parts, spawn } = seen
    if (!parts || parts.tasks.length === 0) return fail(`${spawn} made no tasks`, respawnFix(seen))
    const byId = new Map(parts.tasks.map((part) => [part.id, part]))
    const unrecorded = parts.tasks.flatMap((part) => {
      const before = allBefore(part, byId)
      const said = needsIn(part.description).filter((id) => id !== part.id && !before.has(id))
      return said.map((id) => `${part.id} says that it needs ${id}, and does not depend on it`)
    })
    const depends = parts.tasks.reduce((sum, part) => sum + part.depends.length, 0)
    return unless(unrecorded, `${tasks(parts)} with ${count(depends, 'dependency', 'dependencies')}`)
  }),

  'DCMP-003': each(
    ({ tasks }) => `at most ${Math.max(...tasks.map(({ depth }) => depth))} deep`,
    ({ depth }) => (depth > 3 ? `stands at depth ${depth}` : undefined),
  ),

  'DCMP-004': each(
    ({ mostFiles }) => `no leaf declares more than ${mostFiles} files`,
    ({ leaf, files }, { mostFiles }) => (leaf && files > mostFiles ? `declares ${files} files` : undefined),
  ),

  // A phrase can be meant otherwise: the words are shown, and a reader decides.
  'DCMP-005': ofParts(({ promises }) =>
    promises.length > 0 ? { result: 'warning', fact: some(promises) } : pass('no text promises a duration'),
  ),

  'DCMP-006': each(
    (parts) => `${tasks(parts)} with acceptance criteria`,
    ({ type, criteria }) => (type !== 'epic' && criteria === 0 ? 'has no acceptance criteria' : undefined),
  ),

  'DCMP-007': ofParts(({ parents }) =>
    unless(
      parents.flatMap(({ id, open }) => (open > 7 ? [`${id} has ${open} open children`] : [])),
      'no parent has more than 7 open children',
    ),
  ),

  'DCMP-008': ofParts(({ cycle }) => (cycle ? fail(cycle.join(' → ')) : pass('no circle of waiting'))),

  'DCMP-009': agentType('decomposition'),
}

/** All that is done before a task, by its own dependencies and its parents', as far as the tasks here tell. */
const allBefore = (part: Part, byId: ReadonlyMap<string, Part>): Set<string> => {
  const before = new Set<string>()
  const open = [part]
  for (let next = open.pop(); next; next = open.pop()) {
    const around = [...next.depends, ...(next.parent === null ? [] : [next.parent])]
    for (const id of around) {
      if (before.has(id)) continue
      before.add(id)
      const other = byId.get(id)
      if (other) open.push(other)
    }
  }
  return before
}

/** Tasks that a description says must come first. */
const needsIn = (text: string): string[] =>
  [
    ...text.matchAll(/\b(?:depends on|needs|requires|waits (?:on|for)|blocked by|builds on) (T\d{3,12})\b/gi),
  ].map(([, id]) => id!.toUpperCase())
