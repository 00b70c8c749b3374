import * as v from 'valibot'
import type { Host } from '../host/host.ts'
import { type AgentClient, clientNames } from '../kernel/client-names.ts'
import { type Failure, fail, type Ok, ok, type Problem } from '../kernel/result.ts'
import type { Style } from '../kernel/style.ts'
import { checkClient, type RealTurn } from './check-client.ts'
import { clientFacts } from './client-facts.ts'
import { installedClients } from './installed.ts'
import type { SetupPlace } from './place.ts'
import { recordAt } from './setup-record.ts'

export const checkedShape = () =>
  v.object({
    checks: v.array(
      v.object({
        client: v.picklist(clientNames),
        /** What was checked. */
        what: v.string(),
        /** The result of the check. */
        found: v.string(),
        /** Set if this is only information, not a problem. */
        note: v.optional(v.literal(true)),
      }),
    ),
  })
export type CheckedClients = v.InferOutput<ReturnType<typeof checkedShape>>

/**
 * Checks the named client. If no client is named, checks all clients that are set up. If no client is set up either,
 * checks all installed clients. The refusal lists everything that is missing.
 */
export const checkAll = async (
  host: Host,
  place: SetupPlace,
  client: AgentClient | undefined,
  turn?: RealTurn,
): Promise<Ok<CheckedClients> | Failure<'client.none' | 'client.unready'>> => {
  const record = recordAt(host, place)
  const setUp = clientNames.filter((name) => record.clients[name] !== undefined)
  const chosen = client ? [client] : setUp.length > 0 ? setUp : installedClients(host)
  if (chosen.length === 0) return fail('client.none', { names: clientNames })
  const checks: CheckedClients['checks'] = []
  const problems: Problem[] = []
  for (const name of chosen)
    for (const { problem, ...checked } of await checkClient(host, name, { place, record, turn })) {
      if (problem) problems.push({ ...problem, path: `${name} ${problem.path}` })
      else checks.push({ client: name, ...checked })
    }
  if (problems.length === 0) return ok({ checks })
  const title = chosen.length === 1 ? clientFacts[chosen[0]!].title : 'An agent client'
  const held = checks.filter(({ note }) => !note).map(({ client: name, what }) => `${name} ${what}`)
  // Besides the problems, print what a person has to do in the client. Otherwise the person would see it only after
  // correcting the problems.
  const warnings = checks.flatMap(({ client: name, what, found, note }) =>
    note ? [`${name} ${what}: ${found}`] : [],
  )
  return {
    ...fail('client.unready', { title, problems }),
    ...(held.length > 0 && { held }),
    ...(warnings.length > 0 && { warnings }),
  }
}

export const drawChecks = ({ checks }: CheckedClients, style: Style): string[] =>
  style.table(
    checks.map(({ client, what, found, note }) => [
      `${note ? style.yellow('!') : style.green('✓')} ${style.cyan(client)}`,
      what,
      found,
    ]),
    2,
  )
