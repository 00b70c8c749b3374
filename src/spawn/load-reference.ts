import type { Files } from '../host/host.ts'
import { sha256 } from '../host/sha256.ts'
import type { Project } from '../operation/context.ts'
import { limits } from '../prompt/tokens/limits.ts'
import type { Piece, Reference } from '../prompt/tokens/loaded.ts'
import type { Source } from '../prompt/tokens/source.ts'

/** How much a source may still bring in. */
interface Room {
  bytes: number
}

/** What a path or pattern stands for: a file of the source's own folder, else one of the project. */
export const loadReference = async (
  { host, root }: Pick<Project, 'host' | 'root'>,
  { folder, where, trusted }: Source,
  path: string,
  room: Room,
): Promise<Reference> => {
  if (folder !== undefined) {
    const own = await read(host.files, folder, path, room)
    const name = (file: string) => where.slice(0, where.lastIndexOf('/') + 1) + file
    if (own)
      return {
        pieces: own.pieces.map((piece) => ({
          ...piece,
          path: name(piece.path),
          template: isTemplate(piece),
        })),
        left: own.left,
      }
  }
  if (!trusted) return leftOut(path, 'is not in the folder of the template, which is not trusted')
  return (await read(host.files, root, path, room)) ?? leftOut(path, 'is not there')
}

const isTemplate = ({ path }: Piece): boolean => path.endsWith('.md')

const leftOut = (path: string, why: string): Reference => ({ pieces: [], left: [{ path, why }] })

/** Undefined where there is no such file, and no file that fits. */
const read = async (
  files: Files,
  folder: string,
  path: string,
  room: Room,
): Promise<Reference | undefined> => {
  const found = path.includes('*')
    ? await files.findInside(folder, path, limits.entries)
    : { ok: true as const, paths: [path] }
  if (!found.ok) return found.missing ? undefined : leftOut(path, found.why)
  if (found.paths.length > limits.files)
    return leftOut(path, `fits ${found.paths.length} files, and ${limits.files} is the most`)
  const pieces: Piece[] = []
  const left: { path: string; why: string }[] = []
  let bytes = 0
  for (const each of found.paths) {
    const file = await files.readInside(folder, each, limits.fileBytes)
    if (!file.ok) {
      if (!file.missing) left.push({ path: each, why: file.why })
      continue
    }
    bytes += file.bytes
    if (bytes > limits.globBytes) return leftOut(path, `is more than ${limits.globBytes / 1024} KiB in all`)
    pieces.push({ path: file.path, text: file.text, sha256: sha256(file.text), template: false })
  }
  if (bytes > room.bytes) return leftOut(path, `is more than there is room for`)
  room.bytes -= bytes
  return pieces.length + left.length > 0 ? { pieces, left } : undefined
}
