import * as v from 'valibot'
import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Style } from '../kernel/style.ts'
import type { Project } from '../operation/context.ts'
import { configItems, removedSettings } from '../project/settings.ts'
import { key, stateOf, type Trustable, trustKinds } from '../project/trust-records.ts'
import { hookFileItems } from '../project-commands/hook-files.ts'
import { detectedItems } from '../project-commands/project-commands.ts'
import { readHead } from '../skills/skill-fields.ts'
import { setUpItems } from '../worktrees/set-up-trust.ts'
import { sizeText, skillItems } from './skill-items.ts'

export const trustItem = () =>
  v.object({
    kind: v.picklist(trustKinds),
    name: v.string(),
    what: v.string(),
    state: v.picklist(['trusted', 'changed', 'new', 'removed']),
  })
type TrustItem = v.InferOutput<ReturnType<typeof trustItem>>

/** Everything in the project that CLEO uses only once a person trusts it. */
export const findTrustables = async (project: Project): Promise<Trustable[]> => [
  ...configItems(project),
  ...hookFileItems(project, project.written),
  ...(await commandItems(project)),
  ...(await skillItems(project)),
  ...(await protocolTemplates(project)),
]

/** Leaves out duplicates: tests and set-up may run the same program of the project. */
const commandItems = async (project: Project): Promise<Trustable[]> => {
  const items = [...(await detectedItems(project)), ...(await setUpItems(project))]
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

const mostTemplateBytes = 256 * 1024

/** Files `protocols/<name>.md` whose front matter has `cleo-template: true`. */
const protocolTemplates = async ({ host, root }: Project): Promise<Trustable[]> => {
  const found: Trustable[] = []
  for (const file of host.files.list(`${root}/protocols`).filter((name) => name.endsWith('.md'))) {
    const name = `protocols/${file}`
    const read = readInside(root, name, mostTemplateBytes)
    if (!read.ok) continue
    const head = await readHead(read.text)
    const field = head.ok && (head.fields.get('cleo-template') ?? head.fields.get('metadata.cleo-template'))
    if (field && field.text === 'true')
      found.push({
        kind: 'template',
        name,
        what: sizeText(Buffer.byteLength(read.text)),
        sha256: sha256(read.text),
      })
  }
  return found
}

export const withTrustState = (project: Project, items: readonly Trustable[]): TrustItem[] => {
  const state = stateOf(project)
  return [
    ...items.map((item) => ({ kind: item.kind, name: item.name, what: item.what, state: state(item) })),
    ...removedSettings(project).map(({ item: { kind, name, what } }) => ({
      ...{ kind, name, what },
      state: 'removed' as const,
    })),
  ]
}

export const drawTrustItems = (items: readonly TrustItem[], style: Style): string[] =>
  items.length === 0
    ? [style.dim('This project has nothing that needs trust.')]
    : items.flatMap(({ kind, name, what, state }) => [
        ...style.inFull(
          `${state === 'trusted' ? style.green(state) : style.yellow(state)} ${kind} ${name}`,
          '',
        ),
        ...style.inFull(what, '    '),
      ])

/** A short hash of these items as they are now, so that `--yes` trusts only what a person was shown. */
export const digestOf = (items: readonly Trustable[]): string =>
  sha256(JSON.stringify(items.map((item) => [key(item), item.what, item.sha256 ?? '']))).slice(0, 16)
