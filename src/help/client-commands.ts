import { clientNames } from '../kernel/client-names.ts'
import type { Command } from '../operation/command-table.ts'

type ClientCommand = Pick<Command, 'words' | 'summary' | 'flags'>

/** Commands that are not operations and so are not in the command table. Agent clients run the first two. */
export const clientCommands = {
  hook: {
    words: 'hook',
    summary: 'Answer a hook of an agent client: read the event on standard input, print JSON.',
    flags: [
      { key: 'client', name: '--client', kind: 'choice', about: 'the client', choices: clientNames, at: 0 },
      { key: 'event', name: '--event', kind: 'text', about: "the client's name of the event", at: 1 },
    ],
  },
  mcp: {
    words: 'mcp',
    summary: 'Serve MCP to an agent client, over standard input and output.',
    flags: [],
  },
  quickstart: {
    words: 'quickstart',
    summary: 'Guide you through a first epic step by step; in a pipe, print the steps as a script.',
    flags: [
      {
        key: 'here',
        name: '--here',
        kind: 'switch',
        about: 'use the project of this folder, not a scratch project',
      },
    ],
  },
  demo: {
    words: 'demo',
    summary: 'Watch CLEO drive a small epic with built-in agents, from red tests to landed work.',
    flags: [],
  },
  watch: {
    words: 'watch',
    summary: 'Follow the work live: redraw a view when something changes, or print changes in a pipe.',
    flags: [
      {
        key: 'view',
        name: '--view',
        kind: 'choice',
        about: 'what to draw',
        choices: ['status', 'board', 'tree'],
        at: 0,
      },
      {
        key: 'task',
        name: '--task',
        kind: 'text',
        about: 'show only this epic; the view tree takes any task',
        at: 1,
      },
    ],
  },
} as const satisfies Record<string, ClientCommand>
