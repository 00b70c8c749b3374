import { listIds } from '../print/id-list.ts'
import { shellQuote } from '../print/shell-quote.ts'
import { refusal } from './refusal.ts'

export const manifest = () => ({
  'entry.not_found': refusal<{ id: string }>({
    exit: 4,
    message: ({ id }) => `There is no manifest entry ${id}.`,
    fix: () => 'cleo manifest list',
  }),
  'entry.none': refusal<{ task: string }>({
    exit: 4,
    message: ({ task }) => `${task} has no manifest entry.`,
    fix: ({ task }) => `cleo show ${task}`,
  }),
  'entry.foreign': refusal<{ actor: string; id: string }>({
    exit: 6,
    message: ({ actor, id }) => `${actor} may submit work only for ${actor.split('.')[0]}, not for ${id}.`,
    fix: ({ actor }) => `cleo show ${actor.split('.')[0]}`,
  }),
  'entry.twice': refusal<{ spawn: string; id: string }>({
    exit: 6,
    message: ({ spawn, id }) => `${spawn} already has a manifest entry: ${id}.`,
    fix: ({ id }) => `cleo manifest show ${id}`,
    alternatives: ({ id }) => [`To correct it, append again with --revises ${id}.`],
  }),
  'entry.taken': refusal<{ id: string }>({
    exit: 6,
    message: ({ id }) => `Entry ${id} already exists with different content.`,
    fix: ({ id }) => `cleo manifest show ${id}`,
    alternatives: ({ id }) => [`Use another --id, or append again with --revises ${id}.`],
  }),
  'output.absent': refusal<{
    path: string
    task: string
    /** The caller, if it is a spawn. */
    as?: string
    /** The name that the caller gave to the file, if it gave one. */
    named?: string
  }>({
    exit: 3,
    message: ({ path }) =>
      `There is no output file ${path}. Write the file before you append its entry (BASE-004).`,
    // `output new` can only make files that have a template. The agent has to write other files itself.
    fix: ({ task, as, named }) =>
      isMade(task, named)
        ? `cleo output new ${task}${named === undefined ? '' : ` --file ${shellQuote(named)}`}${as ? ` --as ${as}` : ''}`
        : undefined,
    alternatives: ({ task, named }) =>
      isMade(task, named) ? [] : ['Write that file, then run the same command again.'],
  }),
  'output.invalid': refusal<{ path: string; why: string; roots?: readonly string[] }>({
    exit: 6,
    message: ({ path, why }) => `${path} cannot be used as an output file: it ${why}.`,
    fix: ({ roots }) =>
      roots ? `cleo config set output.roots ${roots.join(',')}` : 'cleo config get output',
    alternatives: () => ['Put the output file into a folder that output.dir or output.roots names.'],
  }),
  'output.unfilled': refusal<{
    path: string
    task: string
    why: string
    /** The name that the caller gave to the file, if it gave one. */
    named?: string
  }>({
    exit: 6,
    message: ({ path, why }) => `${path} is not filled in: ${why}.`,
    fix: ({ path, task, named }) => `cleo output check ${named === undefined ? task : shellQuote(path)}`,
  }),
  'output.several': refusal<{ task: string; files: string[] }>({
    exit: 6,
    message: ({ task, files }) => `${task} has several output files: ${listIds(files)}.`,
    alternatives: ({ files }) => files.slice(0, 5).map((file) => `Add --file ${file}`),
  }),
})

const isMade = (task: string, named: string | undefined): boolean =>
  named === undefined || isTemplateName(named, task)

/** Whether `output new` could make this file of a task: a Markdown file whose name begins with the task's id. */
export const isTemplateName = (path: string, task: string): boolean =>
  path.endsWith('.md') && path.slice(path.lastIndexOf('/') + 1).startsWith(`${task}-`)
