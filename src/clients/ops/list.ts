import * as v from 'valibot'
import { clientNames } from '../../kernel/client-names.ts'
import { ok } from '../../kernel/result.ts'
import { operation } from '../../operation/operation.ts'
import { clientFacts } from '../client-facts.ts'
import { hasHooks, programOf, wasHookCalled } from '../installed.ts'
import { projectPlace } from '../place.ts'
import { readRecord } from '../setup-record.ts'

export const list = operation({
  name: 'agents.clients.list',
  kind: 'query',
  tier: 1,
  summary: 'List agent clients: which are installed, and which are set up here.',
  input: v.strictObject({}),
  output: () =>
    v.object({
      clients: v.array(
        v.object({
          name: v.picklist(clientNames),
          title: v.string(),
          /** The path of the client's program, if it is installed. */
          program: v.optional(v.string()),
          /** Whether CLEO's files are set up for the client here. */
          setUp: v.boolean(),
          /** Whether the client has called CLEO's hooks since the set-up. */
          hooks: v.optional(v.picklist(['called', 'never called'])),
        }),
      ),
    }),
  errors: [],
  cli: { command: 'clients list', examples: ['cleo clients list'] },
  human: ({ clients }, style) =>
    style.table(
      clients.map(({ name, title, program, setUp, hooks }) => [
        style.cyan(name),
        title,
        setUp ? style.green('set up') : style.dim('not set up'),
        hooks ? `hooks ${hooks}` : '',
        style.dim(program ?? 'not installed'),
      ]),
      4,
    ),
  async run(_, context) {
    const { host } = context
    const record = readRecord(host, projectPlace(context).records)
    return ok({
      clients: clientNames.map((name) => {
        const program = programOf(host, name)
        const setUp = record.clients[name] !== undefined
        const seen = wasHookCalled(host, name, record.clients[name])
        return {
          name,
          title: clientFacts[name].title,
          ...(program && { program }),
          setUp,
          ...(setUp && hasHooks(name) && { hooks: seen ? ('called' as const) : ('never called' as const) }),
        }
      }),
    })
  },
})
