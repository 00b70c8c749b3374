import { printable } from '../kernel/print/printable.ts'
import type { Project } from '../operation/context.ts'

/** All of them together; a larger one the agent reads where it lies. */
const mostBytes = 16 * 1024

export interface Lacked {
  files: { path: string; text: string }[]
  warnings: string[]
}

/** Reads the files that an earlier attempt lacked, as anybody's: inside the project, no secrets, no links. */
export const lackedFiles = async ({ host, root }: Project, paths: readonly string[]): Promise<Lacked> => {
  const lacked: Lacked = { files: [], warnings: [] }
  let left = mostBytes
  for (const path of paths) {
    const read = await host.files.readInside(root, path, left)
    if (!read.ok) {
      lacked.warnings.push(`${printable(path)}, which the last attempt lacked, is left out: it ${read.why}`)
      continue
    }
    lacked.files.push({ path: read.path, text: read.text })
    left -= read.bytes
  }
  return lacked
}
