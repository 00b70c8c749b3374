import * as v from 'valibot'
import { Command, each } from './config-values.ts'
import { runAgents, verifyPolicies } from './config-words.ts'

const Dollars = v.pipe(v.number(), v.minValue(0))
const positive = (about: string) => v.optional(v.pipe(v.number(), v.minValue(0), v.description(about)))
const minutes = (about: string) =>
  v.optional(v.pipe(v.number(), v.minValue(0.01), v.maxValue(7 * 24 * 60), v.description(about)))

/**
 * The settings for runs. In a run, CLEO itself starts the agents. Settings that came with a clone have no effect
 * until a person trusts them.
 */
export const RunSettings = v.strictObject({
  agent: v.optional(
    v.pipe(v.picklist(runAgents), v.description('agent that cleo run starts unless --agent names one')),
  ),
  parallel: v.optional(
    v.pipe(
      v.number(),
      v.safeInteger(),
      v.minValue(1),
      v.maxValue(64),
      v.description('how many agents work at the same time'),
    ),
  ),
  command: v.optional(
    v.pipe(
      Command,
      v.description('program to start for --agent command or acp; it reads the prompt on standard input'),
    ),
  ),
  idle: minutes('minutes without output after which an agent of a run is ended'),
  total: minutes('minutes after which an agent of a run is ended'),
  onLoss: v.optional(
    v.pipe(
      v.picklist(['end', 'finish']),
      v.description('what agents do when cleo run is killed: end at once, or finish their turn'),
    ),
  ),
  verify: v.optional(
    v.pipe(
      v.picklist(verifyPolicies),
      v.description(
        'how a run tests the work of agents: same-user (your user, with network), or bubblewrap (no network, writes only in the worktree)',
      ),
    ),
  ),
  prices: v.optional(
    v.pipe(
      each(
        runAgents,
        v.strictObject({ input: Dollars, output: Dollars, cached: v.optional(Dollars) }),
        (agent) => `US dollars for a million tokens of ${agent}`,
      ),
      v.description('US dollars for a million tokens, for agents that report no cost'),
    ),
  ),
  maxTokens: positive('tokens after which a run starts no further agent'),
  maxCost: positive('US dollars after which a run starts no further agent'),
})
