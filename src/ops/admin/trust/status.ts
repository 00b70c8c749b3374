import * as v from 'valibot'
import type { Ink } from '../../../model/ink.ts'
import { ok } from '../../../model/result.ts'
import type { Project } from '../../context.ts'
import { operation } from '../../operation.ts'
import { contentTrustables } from '../../skills/content-trustables.ts'
import { detectedItems } from '../../spawn/own-commands.ts'
import { stateOf, type Trustable, trustables, trustKinds } from '../../trust-records.ts'

export const itemShape = () =>
  v.object({
    kind: v.picklist(trustKinds),
    name: v.string(),
    what: v.string(),
    state: v.picklist(['trusted', 'changed', 'new']),
  })
type Item = v.InferOutput<ReturnType<typeof itemShape>>

export const status = operation({
  name: 'admin.trust.status',
  kind: 'query',
  tier: 2,
  summary: 'Show what of this project may act, and what waits for a yes.',
  input: v.strictObject({}),
  output: () => v.object({ items: v.array(itemShape()) }),
  errors: [],
  needs: 'project',
  cli: { command: 'trust status', examples: ['cleo trust status'] },
  human: ({ items }, ink) => drawItems(items, ink),
  run: async (_, project) => ok({ items: itemsOf(project, await everything(project)) }),
})

/** All of the project that would act on its own, or tell an agent what to do. */
export const everything = async (project: Project): Promise<Trustable[]> => [
  ...trustables(project),
  ...(await detectedItems(project)),
  ...(await contentTrustables(project)),
]

export const itemsOf = (project: Project, items: readonly Trustable[]): Item[] => {
  const state = stateOf(project)
  return items.map((item) => ({
    kind: item.kind,
    name: item.name,
    what: item.what,
    state: state(item),
  }))
}

export const drawItems = (items: readonly Item[], ink: Ink): string[] =>
  items.length === 0
    ? [ink.dim('Nothing in this project would act on its own.')]
    : ink.table(
        items.map(({ kind, name, what, state }) => [
          state === 'trusted' ? ink.green(state) : ink.yellow(state),
          kind,
          name,
          what,
        ]),
        3,
      )
