import { type Receipt, receiptsOf } from '../claims/sql/returns.ts'
import type { SpawnRow } from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { standingOf } from '../evidence/standing.ts'
import { isBelow } from '../kernel/path.ts'
import type { Need } from '../kernel/return-line.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { scan } from '../prompt/tokens/scan.ts'
import { brokenRules } from '../receive/breach.ts'
import { type Catalogue, openCatalogue } from '../skills/catalogue.ts'
import * as tasks from '../tasks/sql/tasks.ts'

/** What the last attempt at a task leaves for the next. */
export interface LeftBehind {
  /** It has come back and works no more, whatever its claim says. */
  returned: boolean
  need?: Need
  /** The code its return was refused with, or the rules it broke. */
  breach?: string
  /** Files and skills that its output points to and that it did not have. */
  references: string[]
  skills: string[]
}

const mostBytes = 256 * 1024
const most = 4

export const leftBehind = async (context: Context, last: SpawnRow): Promise<LeftBehind> => {
  const receipt = (await receiptsOf(context.store, last.task)).find(({ spawn }) => spawn === last.id)
  const breach = await breachOf(context, last, receipt)
  return {
    returned: receipt !== undefined,
    ...(receipt?.need && { need: receipt.need }),
    ...(breach && { breach }),
    ...(await pointedTo(context, last)),
  }
}

const breachOf = async (
  context: Context,
  last: SpawnRow,
  receipt: Receipt | undefined,
): Promise<string | undefined> => {
  // One that nobody started on has left nothing; what it was told of the one before still holds.
  if (!receipt) return last.started_at === null ? optionsOf(last)?.breach : undefined
  if (receipt.returned !== 'complete' && receipt.returned !== 'partial') return receipt.breach
  // What was taken ended the task: to be handed out once more it was opened again, and not for nothing.
  const { checkTask, failedIn } = await import('../compliance/check.ts')
  const checked = await checkTask(context, (await tasks.find(context.store, last.task))!)
  return brokenRules(checked ? failedIn(checked) : [])
}

/** The `@` references in the output of an entry that is partial or blocked: its author could not resolve them. */
const pointedTo = async (
  context: Context,
  last: SpawnRow,
): Promise<Pick<LeftBehind, 'references' | 'skills'>> => {
  const nothing = { references: [], skills: [] }
  const { spawn, entry, file } = await standingOf(context, last.task, { recheck: false })
  if (spawn?.id !== last.id || !entry || entry.status === 'complete' || !file) return nothing
  const work = await workFolder(context, optionsOf(last))
  const paths = referencesIn((await textOf(context, file.path, [work, context.root])) ?? '')
  if (paths.length === 0) return nothing
  const catalogue = await openCatalogue(context)
  const references: string[] = []
  const skills = new Set<string>()
  for (const path of paths) {
    const skill = skillIn(path, catalogue)
    if (skill) skills.add(skill)
    else if ((await context.host.files.readInside(context.root, path, mostBytes)).ok) references.push(path)
  }
  return { references: references.slice(0, most), skills: [...skills].slice(0, most) }
}

/** The output, read as anybody's: it lies below one of these folders. */
const textOf = async (
  { host }: Context,
  path: string,
  folders: readonly string[],
): Promise<string | undefined> => {
  const folder = folders.find((folder) => isBelow(folder, path))
  if (folder === undefined) return undefined
  const read = await host.files.readInside(folder, path.slice(folder.length + 1), mostBytes)
  return read.ok ? read.text : undefined
}

/** `@skills/x` names a folder, which is no token: read as the file in it, code is told from text in the same way. */
const referencesIn = (text: string): string[] => {
  const filed = text.replaceAll(/@skills\/([a-z0-9-]{1,64})(?![\w./*-])/g, '@skills/$1/SKILL.md')
  const paths = scan(filed).flatMap((token) => (token.kind === 'file' ? [token.path] : []))
  return [...new Set(paths)]
}

/** The skill a path names: `skills/x/SKILL.md`, `x/SKILL.md`, `x.md`. */
const skillIn = (path: string, catalogue: Catalogue): string | undefined => {
  const parts = path.split('/').filter((part) => part !== '.')
  const name =
    parts.at(-1) === 'SKILL.md'
      ? parts.at(-2)
      : parts.length === 1
        ? parts[0]!.replace(/\.md$/, '')
        : undefined
  return name !== undefined && catalogue.find(name) ? name : undefined
}
