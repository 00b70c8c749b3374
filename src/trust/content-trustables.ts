import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Project } from '../operation/context.ts'
import type { Trustable } from '../project/trust-records.ts'
import { discover } from '../skills/discover.ts'
import { readHead } from '../skills/fields.ts'
import { treeOf } from '../skills/tree.ts'

/** What the project would put into prompts: its skills, each with all of its files, and its protocol templates. */
export const contentTrustables = async (project: Project): Promise<Trustable[]> => [
  ...skills(project),
  ...(await templates(project)),
]

const skills = (project: Project): Trustable[] => {
  const found = discover(project).found.filter(({ origin }) => origin === 'project')
  return found.map((each) => {
    const tree = treeOf(each.folder)
    return {
      kind: 'skill',
      name: each.path,
      what: tree
        ? `${amount(tree.files)}, ${size(tree.bytes)}`
        : 'too many files, or one that cannot be read',
      sha256: tree?.sha256,
    }
  })
}

const amount = (files: number) => `${files} ${files === 1 ? 'file' : 'files'}`
const size = (bytes: number) => (bytes < 1024 ? `${bytes} bytes` : `${Math.ceil(bytes / 1024)} KiB`)

const mostBytes = 256 * 1024

/** `protocols/<name>.md` whose front matter says `cleo-template: true`. */
const templates = async ({ host, root }: Project): Promise<Trustable[]> => {
  const found: Trustable[] = []
  for (const file of host.files.list(`${root}/protocols`).filter((name) => name.endsWith('.md'))) {
    const name = `protocols/${file}`
    const read = readInside(root, name, mostBytes)
    if (!read.ok) continue
    const head = await readHead(read.text)
    const said = head.ok && (head.fields.get('cleo-template') ?? head.fields.get('metadata.cleo-template'))
    if (said && said.text === 'true')
      found.push({
        kind: 'template',
        name,
        what: size(Buffer.byteLength(read.text)),
        sha256: sha256(read.text),
      })
  }
  return found
}
