import * as v from 'valibot'
import { checkAll } from '../../clients/check-all.ts'
import { projectPlace, userPlace } from '../../clients/place.ts'
import { runSetup, runUndo } from '../../clients/run-setup.ts'
import { drawSetup, setupShape } from '../../clients/setup-answer.ts'
import { clientNames } from '../../kernel/client-names.ts'
import { fail, type Problem } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Context, UnopenedWorld } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { turnQuestion } from '../turn-question.ts'

export const setup = operation({
  name: 'admin.setup',
  kind: 'mutate',
  tier: 2,
  summary: "Install CLEO's agent, skill, MCP server, hooks and instructions in clients.",
  input: v.strictObject({
    client: v.optional(describe(v.picklist(clientNames), 'the client; default: all that are installed')),
    yes: v.optional(describe(v.boolean(), 'write without asking')),
    undo: v.optional(
      describe(
        v.boolean(),
        "remove the set-up: restore the old files; in files edited since, remove only CLEO's entries",
      ),
    ),
    check: v.optional(
      describe(
        v.boolean(),
        "check the set-up: run cleo in the client's own shell, and call a hook as the client does",
      ),
    ),
    turn: v.optional(
      describe(
        v.boolean(),
        'also send the client a real prompt, which uses tokens of your account; needs --check',
      ),
    ),
    user: v.optional(
      describe(v.boolean(), 'set up all projects: write to your home folder instead of this project'),
    ),
  }),
  output: setupShape,
  errors: ['input.invalid', 'client.none', 'client.files', 'client.unconfirmed', 'client.unready'],
  needs: 'world',
  // Setup decides what agents may do, so only a person may run it. But agents may run --check, because this changes
  // nothing. Only a person may add --turn to --check, because a turn of a real client costs money.
  personOnly: { unless: ['check'], when: ['turn'] },
  runsCommands: true,
  cli: {
    command: 'setup',
    also: ['install'],
    positional: ['client'],
    examples: [
      'cleo setup claude',
      'cleo setup codex --dry-run',
      'cleo setup claude --check',
      'cleo setup claude --check --turn',
      'cleo setup claude --undo',
    ],
    asks: ({ yes, check, undo, turn }) => {
      if (yes) return undefined
      if (check) return turn ? turnQuestion : undefined
      return undo ? 'Undo these changes?' : 'Write these files?'
    },
  },
  human: drawSetup,
  async run(input, world) {
    const { client, undo, check, user, turn, yes } = input
    const problems = contradictions(input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    const context = user ? undefined : await world.open()
    const place = context ? projectPlace(context) : userPlace(world.host)
    if (check) {
      const wantsTurn = turn && !world.dryRun
      const realTurn = wantsTurn && yes ? (await import('../real-turn.ts')).realTurn : undefined
      const answer = await checkAll(world.host, place, client, realTurn)
      // Report what is missing before the person is asked to confirm a turn.
      if (answer.ok && wantsTurn && !yes) return fail('client.unconfirmed', { files: 0, line: again(input) })
      return answer.ok ? { ...answer, value: { applied: false, files: [], ...answer.value } } : answer
    }
    const call = { client, yes: yes === true, line: again(input) }
    return (undo ? runUndo : runSetup)(worldOf(world, context), place, call)
  },
})

type SetupFlags = Partial<Record<'client' | 'yes' | 'undo' | 'check' | 'turn' | 'user', string | boolean>>

const contradictions = ({ undo, check, client, turn }: SetupFlags): Problem[] => [
  ...(turn && !check
    ? [
        {
          path: 'turn',
          message: 'needs --check',
          fix: `cleo setup ${client ?? 'claude'} --check --turn`,
        },
      ]
    : []),
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

/** Returns the user's command line with --yes added, so that CLEO does not ask for a confirmation. */
const again = ({ client, ...flags }: SetupFlags): string =>
  [
    'cleo setup',
    ...(client ? [client] : []),
    ...(['undo', 'check', 'turn', 'user'] as const).flatMap((name) => (flags[name] ? [`--${name}`] : [])),
    '--yes',
  ].join(' ')

const worldOf = ({ host, dryRun }: UnopenedWorld, context: Context | undefined) => ({
  host,
  dryRun,
  ...(context && { context }),
})
