import * as v from 'valibot'
import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Style } from '../kernel/style.ts'
import type { Project } from '../operation/context.ts'
import { stateOf, type Trustable, trustables, trustKinds } from '../project/trust-records.ts'
import { detectedItems } from '../project-commands/project-commands.ts'
import { discoverSkills } from '../skills/discover.ts'
import { hashFolder } from '../skills/folder-hash.ts'
import { readHead } from '../skills/skill-fields.ts'

export const trustItem = () =>
  v.object({
    kind: v.picklist(trustKinds),
    name: v.string(),
    what: v.string(),
    state: v.picklist(['trusted', 'changed', 'new']),
  })
type TrustItem = v.InferOutput<ReturnType<typeof trustItem>>

/** Everything in the project that CLEO would run or put into a prompt. */
export const findTrustables = async (project: Project): Promise<Trustable[]> => [
  ...trustables(project),
  ...(await detectedItems(project)),
  ...projectSkills(project),
  ...(await protocolTemplates(project)),
]

const projectSkills = (project: Project): Trustable[] =>
  discoverSkills(project)
    .found.filter(({ origin }) => origin === 'project')
    .map(({ folder, path }) => {
      const hash = hashFolder(folder)
      return {
        kind: 'skill',
        name: path,
        what: hash
          ? `${hash.files} ${hash.files === 1 ? 'file' : 'files'}, ${size(hash.bytes)}`
          : 'too many files, or one that cannot be read',
        sha256: hash?.sha256,
      }
    })

const size = (bytes: number) => (bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KiB`)

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
        what: size(Buffer.byteLength(read.text)),
        sha256: sha256(read.text),
      })
  }
  return found
}

export const withTrustState = (project: Project, items: readonly Trustable[]): TrustItem[] => {
  const state = stateOf(project)
  return items.map((item) => ({ kind: item.kind, name: item.name, what: item.what, state: state(item) }))
}

export const drawTrustItems = (items: readonly TrustItem[], style: Style): string[] =>
  items.length === 0
    ? [style.dim('This project has nothing that needs trust.')]
    : style.table(
        items.map(({ kind, name, what, state }) => [
          state === 'trusted' ? style.green(state) : style.yellow(state),
          kind,
          name,
          what,
        ]),
        3,
      )
