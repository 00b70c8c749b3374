import { names } from '../names.ts'
import { entry } from './entry.ts'

/** What a subagent handed in is not there, or not in order. */
export const manifest = () => ({
  'entry.not_found': entry<{ id: string }>({
    exit: 4,
    http: 404,
    message: ({ id }) => `There is no manifest entry ${id}.`,
    fix: () => 'cleo manifest list',
  }),
  'entry.none': entry<{ task: string }>({
    exit: 4,
    http: 404,
    message: ({ task }) => `${task} has no manifest entry.`,
    fix: ({ task }) => `cleo show ${task}`,
  }),
  'entry.foreign': entry<{ actor: string; id: string }>({
    exit: 6,
    http: 403,
    message: ({ actor, id }) => `${actor} hands in its own work only; ${id} is another task's.`,
    fix: ({ actor }) => `cleo show ${actor.split('.')[0]}`,
  }),
  'entry.twice': entry<{ spawn: string; id: string }>({
    exit: 6,
    http: 409,
    message: ({ spawn, id }) => `${spawn} has its manifest entry already: ${id}.`,
    fix: ({ id }) => `cleo manifest show ${id}`,
    alternatives: ({ id }) => [`To put it right, append again with --revises ${id}.`],
  }),
  'entry.taken': entry<{ id: string }>({
    exit: 6,
    http: 409,
    message: ({ id }) => `There is an entry ${id} already, and it says something else.`,
    fix: ({ id }) => `cleo manifest show ${id}`,
    alternatives: ({ id }) => [`Give it another --id, or append again with --revises ${id}.`],
  }),
  'output.absent': entry<{ path: string; task: string; actor: string }>({
    exit: 3,
    http: 409,
    message: ({ path }) => `There is no output file ${path} (BASE-004: the file comes before its entry).`,
    fix: ({ task, actor }) => `cleo output new ${task} --as ${actor}`,
  }),
  'output.unfit': entry<{ path: string; why: string }>({
    exit: 6,
    http: 422,
    message: ({ path, why }) => `${path} cannot be an output file: it ${why}.`,
  }),
  'output.unfilled': entry<{ path: string; task: string; why: string }>({
    exit: 6,
    http: 422,
    message: ({ path, why }) => `${path} is not filled in: ${why}.`,
    fix: ({ task }) => `cleo output check ${task}`,
  }),
  'output.several': entry<{ task: string; files: string[] }>({
    exit: 6,
    http: 409,
    message: ({ task, files }) => `${task} has several output files: ${names(files)}.`,
    alternatives: ({ files }) => files.slice(0, 5).map((file) => `Say which with --file ${file}`),
  }),
})
