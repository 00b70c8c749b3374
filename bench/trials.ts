import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { taskId } from '../src/kernel/task-id.ts'
import { type Call, succeed, type Trial } from './measure.ts'
import type { Programs } from './programs.ts'

/** A project in which an agent has a session and a task in focus. */
export interface Place {
  folder: string
  tasks: number
  env: Call['env']
}

export const enter = (programs: Programs, folder: string, tasks: number): Place => {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(folder, '.home'),
    USER: 'bench',
    CLEO_AGENT_ID: 'planner',
  }
  const session = say(programs, { folder, tasks, env }, 'session', 'start', 'bench', '--field', 'id')
  const place = { folder, tasks, env: { ...env, CLEO_SESSION_ID: session } }
  say(programs, place, 'focus', 'set', 'T002')
  return place
}

export const placeBare = (folder: string): void => {
  copyFileSync(join(folder, '.cleo', 'cleo.db'), join(folder, bare))
  const database = new DatabaseSync(join(folder, bare))
  database.exec('CREATE TABLE bare (n INTEGER PRIMARY KEY, title TEXT, description TEXT, parent TEXT)')
  database.close()
}
const bare = 'bare.db'

export const say = ({ cleo }: Programs, { folder, env }: Place, ...args: string[]): string =>
  succeed({ program: cleo, args, cwd: folder, env }).trim()

type Words = string[] | ((round: number) => string[])

const trial = (name: string, program: string, { folder, env }: Place, words: Words): Trial => ({
  name,
  call: (round) => ({
    program,
    args: typeof words === 'function' ? words(round) : words,
    cwd: folder,
    env,
  }),
})

/**
 * The same trial at a terminal, measured until the first frame is drawn. The environment of the trials names no agent
 * client, because CLEO treats the terminal of an agent client as a pipe.
 */
const firstScreen = ({ name, call }: Trial): Trial => ({
  name,
  call: (round) => ({ ...call(round), firstScreen: true }),
})

const middle = ({ tasks }: Place): number => Math.ceil(tasks / 2)

export const empty = ({ empty: program }: Programs, place: Place): Trial =>
  trial('empty executable', program, place, [])

export const bareRead = ({ read }: Programs, place: Place): Trial =>
  trial('bare read', read, place, [join('.cleo', 'cleo.db'), taskId(middle(place))])

export const bareInsert = ({ insert }: Programs, place: Place, rows = 1): Trial =>
  trial('bare insert', insert, place, [bare, String(rows)])

export const show = ({ cleo }: Programs, place: Place): Trial =>
  trial('show', cleo, place, ['show', taskId(middle(place))])

export const ready = ({ cleo }: Programs, place: Place): Trial => trial('ready', cleo, place, ['ready'])

export const reads = (programs: Programs, place: Place): Trial[] => {
  const { cleo } = programs
  return [
    show(programs, place),
    trial('next', cleo, place, ['next']),
    trial('find --exact', cleo, place, ['find', '--exact', `Task number ${middle(place)} of the plan`]),
    trial('focus show', cleo, place, ['focus', 'show']),
    ready(programs, place),
    trial('status', cleo, place, ['status']),
    trial('board', cleo, place, ['board']),
    firstScreen(trial('watch board, first screen', cleo, place, ['watch', 'board'])),
    trial('list', cleo, place, ['list']),
    trial('log', cleo, place, ['log']),
    trial('find, a word of every task', cleo, place, ['find', 'plan']),
  ]
}

export const writes = (programs: Programs, place: Place): Trial[] => {
  const { cleo } = programs
  const fresh = () => say(programs, place, 'add', 'To be completed', '--field', 'id')
  return [
    trial('add', cleo, place, [
      ...['add', 'One more task', '--parent', 'T001', '--depends', 'T004'],
      ...['--labels', 'area-1', '--files', 'src/new.ts'],
    ]),
    trial('update', cleo, place, (round) => ['update', 'T002', '--priority', round % 2 ? 'high' : 'low']),
    trial('complete', cleo, place, () => ['complete', fresh()]),
  ]
}

export const batchAdd = ({ cleo }: Programs, { folder, env }: Place, input: string): Trial => ({
  name: 'add --batch',
  call: (round) => {
    const cwd = `${folder}.${round}`
    cpSync(folder, cwd, { recursive: true })
    return { program: cleo, args: ['add', '--batch', '--quiet'], cwd, env, input }
  },
})

/** Measures an orchestrator's first spawn of a new task. */
export const spawn = (programs: Programs, { folder, tasks, env }: Place): Trial => {
  const { CLEO_AGENT_ID: _, CLEO_SESSION_ID: __, ...lead } = env
  const place = { folder, tasks, env: lead }
  const task = ['add', 'Sign-up form', '--parent', 'T001', '--description', 'Build the form and its handler.']
  return trial('spawn', programs.cleo, place, () => [
    ...['spawn', say(programs, place, ...task, '--field', 'id'), '--ref'],
  ])
}

export const analyze = ({ cleo }: Programs, place: Place): Trial =>
  trial('analyze', cleo, place, ['analyze', 'T001'])

export const onNode = ({ node }: Programs, place: Place): [show: Trial, empty: Trial] => [
  trial('show on Node', process.execPath, place, [node.cli, 'show', taskId(middle(place))]),
  trial('empty Node', process.execPath, place, [node.empty]),
]
