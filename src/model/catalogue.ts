import type { Entry } from './refusals/entry.ts'
import { input } from './refusals/input.ts'
import { sessions } from './refusals/sessions.ts'
import { skills } from './refusals/skills.ts'
import { spawns } from './refusals/spawns.ts'
import { store } from './refusals/store.ts'
import { tasks } from './refusals/tasks.ts'

const make = () =>
  ({ ...input(), ...store(), ...tasks(), ...sessions(), ...skills(), ...spawns() }) satisfies Record<
    string,
    Entry<never>
  >
type Catalogue = ReturnType<typeof make>
let made: Catalogue | undefined

/** Every refusal CLEO knows: what it says, how it exits, what to do about it. Most commands never come to need one. */
export const catalogue = (): Catalogue => {
  made ??= make()
  return made
}

export type Code = keyof Catalogue
export type FactsOf<C extends Code> = Catalogue[C] extends Entry<infer F> ? F : never
