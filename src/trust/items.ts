import * as v from 'valibot'
import { detectedItems } from '../commands/project-commands.ts'
import type { Style } from '../kernel/style.ts'
import type { Project } from '../operation/context.ts'
import { stateOf, type Trustable, trustables, trustKinds } from '../project/trust-records.ts'
import { contentTrustables } from './content-trustables.ts'

export const itemShape = () =>
  v.object({
    kind: v.picklist(trustKinds),
    name: v.string(),
    what: v.string(),
    state: v.picklist(['trusted', 'changed', 'new']),
  })
type Item = v.InferOutput<ReturnType<typeof itemShape>>

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

export const drawItems = (items: readonly Item[], style: Style): string[] =>
  items.length === 0
    ? [style.dim('Nothing in this project would act on its own.')]
    : style.table(
        items.map(({ kind, name, what, state }) => [
          state === 'trusted' ? style.green(state) : style.yellow(state),
          kind,
          name,
          what,
        ]),
        3,
      )
