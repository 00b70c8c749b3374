import { compliance } from './refusals/compliance.ts'
import { doctor } from './refusals/doctor.ts'
import type { Entry } from './refusals/entry.ts'
import { evidence } from './refusals/evidence.ts'
import { input } from './refusals/input.ts'
import { manifest } from './refusals/manifest.ts'
import { returns } from './refusals/returns.ts'
import { sessions } from './refusals/sessions.ts'
import { skills } from './refusals/skills.ts'
import { spawns } from './refusals/spawns.ts'
import { stages } from './refusals/stages.ts'
import { store } from './refusals/store.ts'
import { tasks } from './refusals/tasks.ts'

const make = () =>
  ({
    ...input(),
    ...store(),
    ...tasks(),
    ...sessions(),
    ...skills(),
    ...spawns(),
    ...manifest(),
    ...evidence(),
    ...returns(),
    ...stages(),
    ...doctor(),
    ...compliance(),
  }) satisfies Record<string, Entry<never>>
type Catalogue = ReturnType<typeof make>
let made: Catalogue | undefined

/** Every refusal CLEO knows: what it says, how it exits, what to do about it. Most commands never come to need one. */
export const catalogue = (): Catalogue => {
  made ??= make()
  return made
}

export type Code = keyof Catalogue
export type FactsOf<C extends Code> = Catalogue[C] extends Entry<infer F> ? F : never
