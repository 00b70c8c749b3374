import * as v from 'valibot'
import { checkAll, checkedShape, drawChecks } from '../../clients/check-all.ts'
import { projectPlace } from '../../clients/place.ts'
import { clientNames } from '../../kernel/client-names.ts'
import { fail } from '../../kernel/result.ts'
import { describe } from '../../kernel/text.ts'
import { operation } from '../../operation/operation.ts'
import { realTurn } from '../real-turn.ts'
import { turnQuestion } from '../turn-question.ts'

export const check = operation({
  name: 'agents.clients.check',
  kind: 'query',
  tier: 1,
  summary: 'Check that agent clients find cleo, its files and its hooks.',
  input: v.strictObject({
    client: v.optional(
      describe(v.picklist(clientNames), 'one client; default: all that are set up, else all installed'),
    ),
    turn: v.optional(
      describe(v.boolean(), 'also send the client a real prompt, which uses tokens of your account'),
    ),
    yes: v.optional(describe(v.boolean(), 'send the prompt without asking first')),
  }),
  output: checkedShape,
  errors: ['client.none', 'client.unready', 'client.unconfirmed'],
  needs: 'world',
  // Only a person may use --turn, because a turn of a real client costs money.
  personOnly: { when: ['turn'] },
  runsCommands: true,
  cli: {
    command: 'clients check',
    positional: ['client'],
    examples: ['cleo clients check', 'cleo clients check codex', 'cleo clients check claude --turn'],
    asks: ({ turn, yes }) => (turn && !yes ? turnQuestion : undefined),
  },
  human: drawChecks,
  async run({ client, turn, yes }, world) {
    const { host, dryRun } = world
    const context = await world.open()
    const place = projectPlace(context)
    if (!turn || dryRun) return checkAll(host, place, client)
    if (yes) return checkAll(host, place, client, realTurn)
    // Report what is missing before the person is asked to confirm a turn.
    const checked = await checkAll(host, place, client)
    const line = ['cleo clients check', ...(client ? [client] : []), '--turn --yes'].join(' ')
    return checked.ok ? fail('client.unconfirmed', { files: 0, line }) : checked
  },
})
