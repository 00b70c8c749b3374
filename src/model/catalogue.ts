import type { Entry } from './refusals/entry.ts'
import { input } from './refusals/input.ts'
import { sessions } from './refusals/sessions.ts'
import { store } from './refusals/store.ts'
import { tasks } from './refusals/tasks.ts'

/** Every refusal CLEO knows: what it says, how it exits, what to do about it. */
export const catalogue = { ...input, ...store, ...tasks, ...sessions } satisfies Record<string, Entry<never>>

export type Code = keyof typeof catalogue
export type FactsOf<C extends Code> = (typeof catalogue)[C] extends Entry<infer F> ? F : never
