import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import { fail, ok, Refused } from '../kernel/result.ts'
import * as entries from '../manifest/sql/entries.ts'
import { writeLine } from '../manifest/store-entry.ts'
import type { Context } from '../operation/context.ts'
import { isFreeOfLinks } from '../output/output-file.ts'
import { type WorkFolders, workFoldersIn } from '../output/work-folders.ts'
import { dropKeptOutput, outputOf } from '../worktrees/restore.ts'

/**
 * Copies the output file and the manifest line of a spawn into the project, before the spawn's worktree is removed.
 * Running this twice does no harm.
 */
export const bringOutput = async (context: Context, spawn: SpawnRow): Promise<void> => {
  const entry = await entries.ofSpawn(context.store, spawn.id)
  if (!entry || entry.place === '' || context.dryRun) return
  const options = optionsOf(spawn)
  const { file } = JSON.parse(entry.body) as { file?: unknown }
  const to = workFoldersIn(context, context.root, options)
  if (typeof file === 'string') {
    const text = await outputOf(context, { place: entry.place, file, spawn: spawn.id })
    if (text !== undefined) writeText(context, to, resolveIn(to, file), text, spawn.id)
  }
  await context.write(async (tx) => {
    await entries.setInProject(tx.db, entry.id)
    if (!(await isAtTheEnd(context, to, entry.body))) await writeLine(tx, to, entry.body)
    return ok(undefined)
  })
  dropKeptOutput(context, spawn.id)
}

const endBytes = 1 << 20

/** An earlier process may have appended the line and been killed before its transaction was committed. */
const isAtTheEnd = async ({ host }: Context, { manifest }: WorkFolders, line: string): Promise<boolean> => {
  const size = host.files.sizeSeen(manifest)
  if (size <= 0) return false
  const { readPiece } = await import('../host/line-file.ts')
  const start = Math.max(0, size - endBytes)
  return new TextDecoder().decode(readPiece(manifest, start, size - start).bytes).includes(line)
}

const resolveIn = ({ manifest }: WorkFolders, file: string): string =>
  `${manifest.slice(0, manifest.lastIndexOf('/'))}/${file}`

const writeText = (
  { host: { files } }: Context,
  { outputRoots }: WorkFolders,
  path: string,
  text: string,
  spawn: string,
): void => {
  const folder = path.slice(0, path.lastIndexOf('/'))
  if (
    path.includes('/../') ||
    !outputRoots.some((root) => path.startsWith(`${root}/`)) ||
    !isFreeOfLinks(files, folder)
  )
    throw new Refused(fail('file.unwritable', { path, reason: 'it is not inside an output folder' }))
  const before = files.read(path)
  if (before === text) return
  files.makeFolder(folder, 0o755)
  // A person or another agent may have written the existing file, so keep a copy of it.
  if (before !== undefined) files.writeNew(`${path}.before-${spawn}`, before, 0o644)
  files.replace(path, text, 0o644)
}
