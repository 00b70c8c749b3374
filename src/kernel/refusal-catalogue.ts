import { sessions } from './refusals/claims-and-sessions.ts'
import { clients } from './refusals/clients.ts'
import { compliance } from './refusals/compliance.ts'
import { evidence } from './refusals/evidence.ts'
import { input } from './refusals/input.ts'
import { manifest } from './refusals/manifest.ts'
import type { Refusal } from './refusals/refusal.ts'
import { runs } from './refusals/runs.ts'
import { server } from './refusals/server.ts'
import { skills } from './refusals/skills.ts'
import { spawns } from './refusals/spawns.ts'
import { stages } from './refusals/stages.ts'
import { doctor, store } from './refusals/store.ts'
import { tasks } from './refusals/tasks.ts'
import { worktrees } from './refusals/worktrees.ts'

const build = () =>
  ({
    ...input(),
    ...store(),
    ...tasks(),
    ...sessions(),
    ...skills(),
    ...spawns(),
    ...manifest(),
    ...evidence(),
    ...stages(),
    ...doctor(),
    ...compliance(),
    ...worktrees(),
    ...server(),
    ...clients(),
    ...runs(),
  }) satisfies Record<string, Refusal<never>>
type Catalogue = ReturnType<typeof build>
let built: Catalogue | undefined

/** Every refusal: its message, exit status and fix. Built on first use, because most commands never refuse. */
export const catalogue = (): Catalogue => {
  built ??= build()
  return built
}

export type Code = keyof Catalogue
export type FactsOf<C extends Code> = Catalogue[C] extends Refusal<infer F> ? F : never
