import { notApplicable, passUnless, type Rules, respawnFix } from './ruling.ts'

/** The rule that the validation stage adds to every protocol: an agent may not validate its own work. */
export const validation: Rules = {
  validation: (facts) => {
    const { spawn, log, authors } = facts
    if (!authors || authors.length === 0)
      return notApplicable('the task depends on no task that was worked on')
    const validators = new Set([spawn, ...log.filter(isWork).map(({ actor }) => actor)])
    return passUnless(
      authors.flatMap(({ task, actors }) =>
        actors.filter((actor) => validators.has(actor)).map((actor) => `${actor} worked on ${task} itself`),
      ),
      `${spawn} validated ${authors.map(({ task, actors }) => `${task} by ${actors.join(', ')}`).join(', ')}`,
      respawnFix(facts),
    )
  },
}

const isWork = ({ operation }: { operation: string }): boolean =>
  operation === 'focus.set' || operation === 'pipeline.manifest.append'
