import type { Host } from '../host/host.ts'
import type { AgentClient } from '../kernel/client-names.ts'
import { type Place, partsFor } from './client-parts.ts'
import { fileAt } from './file-state.ts'
import type { Part } from './part.ts'

/** `file` is the path with links resolved. Records of a set-up use this path. */
export interface PartOfFile {
  part: Part
  file: string
}

/**
 * Returns the parts of a client. JSON parts for the same file are joined into one part. The reason: when a set-up
 * writes a part into a file, it removes all other recorded entries from the file. Two separate parts would remove each
 * other's entries. Two parts are for the same file if they have the same path, or if one path is a link to the other.
 */
export const partsByFile = async (host: Host, client: AgentClient, place: Place): Promise<PartOfFile[]> => {
  const joined: PartOfFile[] = []
  for (const part of await partsFor(client, place)) {
    const file = fileAt(host, place.root, part.path)
    const earlier = joined.find((each) => each.file === file && each.part.kind === part.kind)
    if (earlier?.part.kind === 'json' && part.kind === 'json') earlier.part = joinJson(earlier.part, part)
    else joined.push({ part, file })
  }
  return joined
}

type JsonPart = Extract<Part, { kind: 'json' }>

const joinJson = (first: JsonPart, second: JsonPart): JsonPart => ({
  ...first,
  entries: [...first.entries, ...second.entries],
  ...((first.hooks || second.hooks) && { hooks: true as const }),
})
