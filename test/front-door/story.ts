import { join } from 'node:path'
import { data, executable, type Ran, run } from '../support/cleo.ts'
import { type Company, openCompany } from './company.ts'

/** The task of each role. A role has the name of its script in `agents/`. */
export const cast = {
  good: 'Write the sign-up form',
  partial: 'Write the import',
  blocked: 'Write the migration',
  lazy: 'Write the mailer',
  lying: 'Write the report',
  forging: 'Write the counter',
  elsewhere: 'Write the cache',
  learner: 'Write the parser',
  researcher: 'Compare password hashing',
  'old-school': 'Write the log',
  late: 'Write the queue',
  follower: 'Write the hashing',
} as const
export type Role = keyof typeof cast
const roles = Object.keys(cast) as Role[]
/** The roles that can start at once, each in its own worktree. */
const first = roles.slice(0, 10)
/** The roles whose first attempt is not accepted. */
const failed: readonly Role[] = ['lazy', 'lying', 'forging', 'elsewhere']

export interface Shown {
  status: string
  outcome?: string
  reason?: string
}

export interface Part {
  id: string
  /** What the agent's commands printed, with a line `refused N` for each refused command. */
  log: string
  received: Ran
  /** The task after `receive`. */
  then: Shown
}

export interface Story {
  folder: string
  parts: Record<Role, Part>
  /** The second attempts of the failed roles, each with the task after its `receive`. */
  again: Partial<Record<Role, { received: Ran; then: Shown }>>
  /** The prompt of the role `follower`. */
  prompt: string
  /** The second prompt of the role `blocked`. */
  answered: string
  /** The skills in the second prompt of the role `learner`. */
  skills: string[]
  /** The answer of `spawn` for a task on which an agent is working. */
  held: Ran
  inbox: string
  open: string[]
  doctor: Ran
}

/** Plays an epic of twelve tasks from start to end. */
export const playStory = async (folder: string): Promise<Story> => {
  const company = openCompany(folder)
  const { cleo, ask, spawn, play, receive, worktree } = company
  const ids = plan(company)
  const show = (role: Role) => ask<Shown>('show', ids[role])
  ask('orchestrate', 'start', '--epic', 'T001')
  const take = (role: Role, { line, log }: { line: string; log: string }): Part => {
    const received = receive(ids[role], line)
    return { id: ids[role], log, received, then: show(role) }
  }

  const sent = first.map((role) => {
    const place = worktree(ids[role])
    return { role, place, spawnId: spawn(ids[role], '--worktree', place) }
  })
  const back = await Promise.all(sent.map(({ role, place, spawnId }) => play(role, spawnId, place)))
  const parts = Object.fromEntries(first.map((role, i) => [role, take(role, back[i]!)])) as Story['parts']
  const inbox = cleo('inbox').stdout

  const slow = spawn(ids.late)
  ask('focus', 'set', ids.late, '--as', slow)
  const held = cleo('orchestrate', 'spawn', ids.late, '--ref')
  const quick = spawn(ids.late, '--replace')
  const { log } = await play('late', slow)
  parts.late = { ...take('late', await play('good', quick)), log }

  const follower = spawn(ids.follower)
  const prompt = cleo('orchestrate', 'spawn', 'show', follower, '--prompt').stdout
  parts.follower = take('follower', await play('good', follower))

  ask('inbox', 'answer', ids.blocked, '--text', 'The login is in the vault now.')
  const again: Story['again'] = {}
  for (const role of [...failed, 'learner', 'blocked'] as const) {
    const { spawnId } = ask<{ spawnId: string }>('orchestrate', 'respawn', ids[role], '--ref')
    const received = receive(ids[role], (await play('good', spawnId, join(folder, ids[role]))).line)
    again[role] = { received, then: show(role) }
  }
  const { skills } = ask<{ skills: { name: string }[] }>('orchestrate', 'spawn', 'show', `${ids.learner}.2`)
  const answered = cleo('orchestrate', 'spawn', 'show', `${ids.blocked}.2`, '--prompt').stdout
  return {
    folder,
    answered,
    parts,
    again,
    prompt,
    skills: skills.map(({ name }) => name),
    held,
    inbox,
    open: ask<{ tasks: { title: string }[] }>('list', '--parent', 'T001').tasks.map(({ title }) => title),
    doctor: cleo('doctor'),
  }
}

/** Adds the epic and its tasks in one batch. Returns the ids of the tasks. */
const plan = ({ main }: Company): Record<Role, string> => {
  const rows = roles.map((role) => ({
    key: role,
    parent: 'epic',
    title: cast[role],
    description: `What is needed to do this: ${cast[role]}.`,
    acceptance: ['it works'],
    ...(role === 'researcher' && { labels: ['research'] }),
    ...(role === 'follower' && { depends: ['researcher'] }),
  }))
  const epic = { key: 'epic', title: 'Customer accounts', type: 'epic', description: 'People can sign up.' }
  const added = run(executable, ['add', '--batch'], { cwd: main, input: JSON.stringify([epic, ...rows]) })
  const ids = data<{ added: { id: string }[] }>(added).added.map(({ id }) => id)
  return Object.fromEntries(roles.map((role, i) => [role, ids[i + 1]!])) as Record<Role, string>
}
