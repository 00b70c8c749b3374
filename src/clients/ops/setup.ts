import * as v from 'valibot'
import { clientNames } from '../../kernel/actor.ts'
import { fail, type Problem } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Context, UnopenedWorld } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { checkAll } from '../check-all.ts'
import { projectPlace, userPlace } from '../place.ts'
import { runSetup, runUndo } from '../run-setup.ts'
import { drawSetup, setupShape } from '../setup-answer.ts'

export const setup = operation({
  name: 'admin.setup',
  kind: 'mutate',
  tier: 2,
  summary: "Write CLEO's agent, skill, MCP server, hooks and instructions for agent clients.",
  input: v.strictObject({
    client: v.optional(describe(v.picklist(clientNames), 'the client; default: all that are installed')),
    yes: v.optional(describe(v.boolean(), 'write without asking')),
    undo: v.optional(
      describe(
        v.boolean(),
        "undo the set-up, also in a clone: restore unchanged files; from changed files remove only CLEO's entries",
      ),
    ),
    check: v.optional(
      describe(
        v.boolean(),
        "check the set-up: run cleo in the client's own shell, and call a hook as the client does",
      ),
    ),
    user: v.optional(
      describe(v.boolean(), 'set up all projects: write to your home folder instead of this project'),
    ),
  }),
  output: setupShape,
  errors: ['input.invalid', 'client.none', 'client.files', 'client.unconfirmed', 'client.unready'],
  needs: 'world',
  // Setup decides what agents may do, so only a person may run it. A check changes nothing, so anyone may run that.
  personOnly: { unless: ['check'] },
  runsCommands: true,
  cli: {
    command: 'setup',
    also: ['install'],
    positional: ['client'],
    examples: [
      'cleo setup claude',
      'cleo setup codex --dry-run',
      'cleo setup claude --check',
      'cleo setup claude --undo',
    ],
    asks: ({ yes, check, undo }) => {
      if (yes || check) return undefined
      return undo ? 'Undo these changes?' : 'Write these files?'
    },
  },
  human: drawSetup,
  async run(input, world) {
    const { client, undo, check, user } = input
    const problems = contradictions(input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    const context = user ? undefined : await world.open()
    const place = context ? projectPlace(context) : userPlace(world.host)
    if (check) {
      const answer = await checkAll(world.host, place, client)
      return answer.ok ? { ...answer, value: { applied: false, files: [], ...answer.value } } : answer
    }
    const call = { client, yes: input.yes === true, line: again(input) }
    return (undo ? runUndo : runSetup)(worldOf(world, context), place, call)
  },
})

type Input = Partial<Record<'client' | 'yes' | 'undo' | 'check' | 'user', string | boolean>>

const contradictions = ({ undo, check, client }: Input): Problem[] => [
  ...(undo && check
    ? [
        {
          path: 'undo',
          message: 'cannot be used with --check',
          fix: `cleo setup ${client ?? 'claude'} --check`,
        },
      ]
    : []),
]

/** Returns the same command with --yes, so that it does not ask. */
const again = ({ client, ...flags }: Input): string =>
  [
    'cleo setup',
    ...(client ? [client] : []),
    ...(['undo', 'check', 'user'] as const).flatMap((name) => (flags[name] ? [`--${name}`] : [])),
    '--yes',
  ].join(' ')

const worldOf = ({ host, dryRun }: UnopenedWorld, context: Context | undefined) => ({
  host,
  dryRun,
  ...(context && { context }),
})
