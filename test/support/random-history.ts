import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Random, random } from '../reliability/random.ts'
import type { TestProject } from './project.ts'

interface Life {
  project: TestProject
  chance: Random
  tasks: number
  session?: string
  spawned: string[]
  submitted: Map<string, string>
}

export const weights = {
  add: 22,
  epic: 4,
  update: 10,
  move: 4,
  complete: 10,
  block: 3,
  unblock: 2,
  cancel: 3,
  reopen: 3,
  note: 3,
  focus: 8,
  leave: 3,
  session: 3,
  spawn: 9,
  handIn: 8,
  receive: 5,
  observe: 3,
  backup: 1,
  time: 2,
} as const

type Deed = keyof typeof weights

/** Runs random commands of people and agents. The project must stay healthy, whichever commands are refused. */
export const randomHistory = async (
  project: TestProject,
  { seed, steps }: { seed: number; steps: number },
): Promise<Record<string, number>> => {
  const life: Life = { project, chance: random(seed), tasks: 0, spawned: [], submitted: new Map() }
  const done: Record<string, number> = {}
  for (let i = 0; i < steps; i++) {
    const deed = life.chance.weighted(weights)
    if (await deeds[deed](life, `${deed} ${i}`)) done[deed] = (done[deed] ?? 0) + 1
  }
  return done
}

const someTask = ({ chance, tasks }: Life): string => `T${1 + chance.below(Math.max(1, tasks))}`
const by = ({ project, chance, session }: Life): TestProject =>
  project.as(chance.pick(['ada', 'bob', 'kim']), session)

const add = async (life: Life, title: string, epic: boolean): Promise<boolean> => {
  const { chance, tasks } = life
  const answer = await by(life).call('tasks.add', {
    title,
    description: chance.pick([`What ${title} is about.`, '- [ ] a box to tick\nÜber alles.']),
    acceptance: ['works'],
    ...(epic && { type: 'epic' }),
    ...(!epic && tasks > 0 && chance.next() < 0.8 && { parent: someTask(life) }),
    ...(tasks > 0 && chance.next() < 0.3 && { depends: [someTask(life)] }),
    priority: chance.pick(['critical', 'high', 'medium', 'low']),
  })
  if (answer.ok) life.tasks++
  return answer.ok
}

const returns: Record<string, string> = {
  complete: 'Implementation complete. See MANIFEST.jsonl for summary.',
  partial: 'Implementation partial. See MANIFEST.jsonl for details.',
  blocked: 'Implementation blocked. See MANIFEST.jsonl for blocker details.',
}

const deeds: Record<Deed, (life: Life, text: string) => Promise<boolean>> = {
  add: (life, text) => add(life, text, false),
  epic: (life, text) => add(life, text, true),
  update: async (life, title) =>
    (await by(life).call('tasks.update', { id: someTask(life), title, addDepends: [someTask(life)] })).ok,
  move: async (life) => {
    const parent = life.chance.next() < 0.4 ? 'none' : someTask(life)
    return (await by(life).call('tasks.update', { id: someTask(life), parent })).ok
  },
  complete: async (life) => (await by(life).call('tasks.complete', { id: someTask(life) })).ok,
  block: async (life, reason) => (await by(life).call('tasks.block', { id: someTask(life), reason })).ok,
  unblock: async (life) => (await by(life).call('tasks.unblock', { id: someTask(life) })).ok,
  cancel: async (life, reason) => {
    const withChildren = life.chance.next() < 0.5
    return (await by(life).call('tasks.cancel', { id: someTask(life), reason, withChildren })).ok
  },
  reopen: async (life, reason) => (await by(life).call('tasks.reopen', { id: someTask(life), reason })).ok,
  note: async (life, text) => (await by(life).call('tasks.note', { id: someTask(life), text })).ok,
  focus: async (life) => {
    const spawn = life.chance.next() < 0.5 ? life.spawned.at(-1) : undefined
    const who = spawn ? life.project.as(spawn) : by(life)
    return (await who.call('focus.set', { id: spawn?.split('.')[0] ?? someTask(life) })).ok
  },
  leave: async (life) => (await by(life).call('focus.clear', {})).ok,
  session: async (life, name) => {
    if (life.session) {
      const ended = await life.project.call('session.end', { id: life.session })
      life.session = undefined
      return ended.ok
    }
    const started = await life.project.call('session.start', { name })
    if (started.ok) life.session = started.value.id
    return started.ok
  },
  spawn: async (life) => {
    const tier = life.chance.below(3)
    const answer = await life.project.call('orchestrate.spawn', { id: someTask(life), tier })
    if (!answer.ok || !('spawnId' in answer.value)) return false
    life.spawned.push(answer.value.spawnId)
    return true
  },
  handIn: async (life, text) => {
    const spawn = life.spawned.at(-1)
    // Submit once per spawn, because a submitted file must not change.
    if (!spawn || life.submitted.has(spawn)) return false
    const task = spawn.split('.')[0]!
    const folder = join(life.project.root, 'claudedocs', 'agent-outputs')
    mkdirSync(folder, { recursive: true })
    const file = `${task}-attempt-${spawn.split('.')[1]}.md`
    const status = life.chance.pick(['complete', 'partial', 'blocked'] as const)
    writeFileSync(join(folder, file), `# ${text}\n\n${'word '.repeat(life.chance.below(50))}\n`)
    const answer = await life.project.as(spawn).call('pipeline.manifest.append', {
      status,
      file,
      finding: [`${text} was found.`],
      ...(status === 'partial' && { followup: ['the rest'] }),
      ...(status === 'blocked' && { blocker: 'missing context', text: 'unknown' }),
    })
    if (answer.ok) life.submitted.set(spawn, status)
    return answer.ok
  },
  receive: async (life, text) => {
    const spawn = life.spawned.at(-1)
    if (!spawn) return false
    const id = spawn.split('.')[0]!
    await life.project.as(spawn).call('focus.set', { id })
    await deeds.handIn(life, text)
    const message = returns[life.submitted.get(spawn) ?? 'complete']!
    return (await life.project.call('orchestrate.receive', { id, message })).ok
  },
  observe: async (life, text) => (await by(life).call('memory.observe', { text })).ok,
  backup: async (life) => (await life.project.call('admin.backup', {})).ok,
  time: async (life) => {
    await life.project.pass(20 * 60_000)
    return true
  },
}
