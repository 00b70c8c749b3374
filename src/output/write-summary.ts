import { optionsOf, type SpawnRow } from '../claims/sql/spawns.ts'
import type { Context } from '../operation/context.ts'
import type { TaskRow } from '../store/rows.ts'
import { placeOfOutput, writeOutput } from './create-output.ts'
import { outputsOf, relative } from './output-file.ts'
import { maxUnfilled, plainTitle, whyUnfilled } from './unfilled.ts'
import { workFolder, workFoldersIn } from './work-folders.ts'

/**
 * Writes a text into the empty Summary of a spawn's output file. If the file is missing, makes it. If the Summary
 * already has text, changes nothing and returns a warning. Other problems with the file are found when it is
 * submitted.
 */
export const writeSummary = async (
  context: Context,
  task: TaskRow,
  spawn: SpawnRow,
  summary: string,
): Promise<string[]> => {
  const { host, store, dryRun } = context
  if (dryRun) return []
  const options = optionsOf(spawn)
  const folders = workFoldersIn(context, await workFolder(context, options), options)
  let paths = await outputsOf(context, folders, task)
  if (paths.length === 0) {
    const place = placeOfOutput(context, folders, task)
    if (!place.ok) return []
    writeOutput(context, place.value, task, { spawn, now: await store.now() })
    paths = [place.value.path]
  }
  const [path, ...others] = paths
  if (path === undefined || others.length > 0) return []
  const read = await host.files.readInside(folders.work, relative(folders.work, path), maxUnfilled)
  if (!read.ok || read.text.includes(summary.trim())) return []
  if (whyUnfilled(read.text) === undefined)
    return [`--summary was not written: ${path} already has a Summary`]
  host.files.replace(path, withSummary(read.text, summary.trim()), 0o644)
  return []
}

const withSummary = (text: string, summary: string): string => {
  const lines = text.split('\n')
  const at = lines.findIndex(
    (line) => /^#{1,6} /.test(line) && plainTitle(line.replace(/^#+/, '')) === 'summary',
  )
  if (at < 0) return `${text}## Summary\n\n${summary}\n`
  return lines.toSpliced(at + 1, 0, '', summary).join('\n')
}
