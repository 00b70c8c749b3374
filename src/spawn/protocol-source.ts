import { readInside } from '../host/safe-read.ts'
import { sha256 } from '../host/sha256.ts'
import type { Protocol } from '../kernel/protocol.ts'
import { divide } from '../markdown/front-matter.ts'
import type { Project } from '../operation/context.ts'
import { recordedOf } from '../project/trust-records.ts'
import type { Source } from '../prompt/tokens/source.ts'
import { protocolTexts } from './generated/protocols.ts'

const mostBytes = 256 * 1024

/** The project's own protocol of this name, once a person has said yes to it; until then the one that ships. */
export const protocolSource = (
  project: Project,
  protocol: Protocol,
): { source: Source; warnings: string[] } => {
  const where = `protocols/${protocol}.md`
  const shipped: Source = { text: protocolTexts[protocol], where, kind: 'template', trusted: true }
  const { host, root } = project
  if (host.files.sizeSeen(`${root}/${where}`) === 0) return { source: shipped, warnings: [] }
  const read = readInside(root, where, mostBytes)
  if (!read.ok) return { source: shipped, warnings: [] }
  const divided = divide(read.text)
  // Many projects have a folder of this name for something else.
  if (!divided.ok || !divided.frontMatter.includes('cleo-template')) return { source: shipped, warnings: [] }
  if (recordedOf(project)(`template:${where}`) !== sha256(read.text))
    return { source: shipped, warnings: [`${where} is not trusted and took no part; see: cleo trust`] }
  // Without a folder: the yes was to this file, and what lies beside it is data like any other file.
  return { source: { text: divided.body, where, kind: 'template', trusted: true }, warnings: [] }
}
