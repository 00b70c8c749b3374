import * as v from 'valibot'
import { fail, type Problem } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import type { Context, UnopenedWorld } from '../../operation/context.ts'
import { operation } from '../../operation/operation.ts'
import { checkAll } from '../check-all.ts'
import { clientNames } from '../client-names.ts'
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
        'take the set-up back: unchanged files get their old bytes, others lose only our entries',
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
        'with --check, also send the client one real prompt, which is charged to your account',
      ),
    ),
    user: v.optional(describe(v.boolean(), 'for all projects: in your home folder instead of this project')),
  }),
  output: setupShape,
  errors: ['input.invalid', 'client.none', 'client.files', 'client.unconfirmed', 'client.unready'],
  needs: 'world',
  // It decides what agents may do, so no agent runs it. A check changes nothing.
  personOnly: ({ check, turn }) => !check || turn === true,
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
    asks: ({ yes, check, turn, undo }) => {
      if (yes || (check && !turn)) return undefined
      if (turn) return 'Make one real turn? It uses your account.'
      return undo ? 'Take these changes back?' : 'Write these files?'
    },
  },
  human: drawSetup,
  async run(input, world) {
    const { client, undo, check, turn, user } = input
    const problems = contradictions(input)
    if (problems.length > 0) return fail('input.invalid', { problems })
    const context = user ? undefined : await world.open()
    const place = context ? projectPlace(context) : userPlace(world.host)
    if (check) {
      if (turn && !input.yes && !world.dryRun)
        return fail('client.unconfirmed', { files: 0, line: again(input) })
      const answer = await checkAll(world.host, place, client, {
        turn: turn === true && !world.dryRun,
      })
      return answer.ok ? { ...answer, value: { applied: false, files: [], ...answer.value } } : answer
    }
    const call = { client, yes: input.yes === true, line: again(input) }
    return (undo ? runUndo : runSetup)(worldOf(world, context), place, call)
  },
})

type Input = Partial<Record<'client' | 'yes' | 'undo' | 'check' | 'turn' | 'user', string | boolean>>

const contradictions = ({ undo, check, turn, client }: Input): Problem[] => [
  ...(undo && check
    ? [
        {
          path: 'undo',
          message: 'cannot be used with --check',
          fix: `cleo setup ${client ?? 'claude'} --check`,
        },
      ]
    : []),
  ...(turn && !check
    ? [{ path: 'turn', message: 'needs --check', fix: `cleo setup ${client ?? 'claude'} --check --turn` }]
    : []),
]

/** The same command, without a question. */
const again = ({ client, ...flags }: Input): string =>
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
