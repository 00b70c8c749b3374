import * as v from 'valibot'
import { verifyPolicies } from '../kernel/config-words.ts'

export const proposalShape = () =>
  v.object({
    run: v.string(),
    epic: v.string(),
    title: v.string(),
    tasks: v.array(v.object({ id: v.string(), title: v.string(), depends: v.array(v.string()) })),
    waves: v.array(v.array(v.string())),
    then: v.string(),
  })

export const reportShape = () =>
  v.object({
    id: v.string(),
    epic: v.string(),
    title: v.string(),
    state: v.picklist(['running', 'draining', 'stopped', 'finished']),
    why: v.optional(v.string()),
    agent: v.string(),
    parallel: v.number(),
    /** How the run starts the project's checks: as this user, or inside bubblewrap. */
    verify: v.picklist(verifyPolicies),
    began: v.string(),
    ended: v.optional(v.string()),
    tasks: v.array(
      v.object({
        id: v.string(),
        title: v.string(),
        state: v.picklist(['merged', 'partial', 'running', 'waits for a person', 'left', 'cancelled']),
        attempts: v.array(
          v.object({
            spawnId: v.string(),
            agent: v.string(),
            /** Whether the attempt continued the client's session of the previous attempt. */
            session: v.picklist(['new', 'continued']),
            ended: v.optional(v.string()),
          }),
        ),
        failures: v.array(v.string()),
        remarks: v.array(v.string()),
        commits: v.number(),
        evidence: v.array(v.string()),
        tokens: v.number(),
        cost: v.number(),
        reason: v.optional(v.string()),
      }),
    ),
    merged: v.number(),
    waiting: v.number(),
    left: v.number(),
    retries: v.number(),
    tokens: v.number(),
    cost: v.number(),
    failures: v.array(v.object({ class: v.string(), times: v.number() })),
    then: v.string(),
    landed: v.optional(v.boolean()),
  })
