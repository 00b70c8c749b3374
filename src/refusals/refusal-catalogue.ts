import { sessions } from './claims-and-sessions.ts'
import { clients } from './clients.ts'
import { compliance } from './compliance.ts'
import { evidence } from './evidence.ts'
import { input } from './input.ts'
import { manifest } from './manifest.ts'
import type { Refusal } from './refusal.ts'
import { runs } from './runs.ts'
import { server } from './server.ts'
import { skills } from './skills.ts'
import { spawns } from './spawns.ts'
import { stages } from './stages.ts'
import { doctor, store } from './store.ts'
import { tasks } from './tasks.ts'
import { worktrees } from './worktrees.ts'

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

/** Built on first use, because most commands never refuse. */
export const catalogue = (): Catalogue => {
  built ??= build()
  return built
}

export type Code = keyof Catalogue
export type FactsOf<C extends Code> = Catalogue[C] extends Refusal<infer F> ? F : never
