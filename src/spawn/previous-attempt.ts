import { type Receipt, receiptsOf } from '../claims/sql/returns.ts'
import type { SpawnOptions, SpawnRow } from '../claims/sql/spawns.ts'
import * as spawns from '../claims/sql/spawns.ts'
import { optionsOf } from '../claims/sql/spawns.ts'
import { isBelow } from '../kernel/path.ts'
import type { Need } from '../kernel/return-line.ts'
import type { Context } from '../operation/context.ts'
import { workFolder } from '../output/work-folders.ts'
import { scan } from '../prompt/tokens/scan.ts'
import { brokenRules } from '../receive/breach.ts'
import { type Catalogue, openCatalogue } from '../skills/skill-catalogue.ts'
import { standingOf } from '../standing/standing.ts'
import * as tasks from '../tasks/sql/tasks.ts'
import type { PromptReport } from './record-spawn.ts'

export interface PreviousAttempt {
  need?: Need
  /** The code with which the return was refused, or the rules that the result broke. */
  breach?: string
  /** Files (`references`) and `skills` that were missing in the prompt, according to the output file. */
  references: string[]
  skills: string[]
}

const mostBytes = 256 * 1024
const mostReferences = 4

export const previousAttempt = async (context: Context, last: SpawnRow): Promise<PreviousAttempt> => {
  const receipt = (await receiptsOf(context.store, last.task)).find(({ spawn }) => spawn === last.id)
  const breach = await breachOf(context, last, receipt)
  return {
    ...(receipt?.need && { need: receipt.need }),
    ...(breach && { breach }),
    ...(await missingReferences(context, last)),
  }
}

const breachOf = async (
  context: Context,
  last: SpawnRow,
  receipt: Receipt | undefined,
): Promise<string | undefined> => {
  // If the last spawn was never started, the breach of the attempt before it still counts.
  if (!receipt) return last.started_at === null ? optionsOf(last)?.breach : undefined
  if (receipt.returned === undefined) return receipt.breach
  // If the attempt was blocked or asked for a skill, it submitted no result. So it broke no rule about results.
  if (receipt.returned !== 'complete' && receipt.returned !== 'partial') return undefined
  // Here the return was accepted, but the task is spawned again, for example because it was reopened. Report the rules
  // that the result broke.
  const { checkTask, failedIn } = await import('../compliance/check-task.ts')
  const checked = await checkTask(context, (await tasks.find(context.store, last.task))!)
  return brokenRules(checked ? failedIn(checked) : [])
}

/**
 * Returns two facts. `last`: the last attempt that was started or whose return was received. `previous`: what the next
 * attempt takes over from that attempt.
 */
export const attemptBefore = async (
  context: Context,
  task: string,
): Promise<{ last: SpawnRow; previous: PreviousAttempt } | undefined> => {
  const started = await spawns.lastStarted(context.store, task)
  const [receipt] = await receiptsOf(context.store, task)
  const returned = receipt && (await spawns.find(context.store, receipt.spawn))
  const last = returned && returned.attempt > (started?.attempt ?? 0) ? returned : started
  return last && { last, previous: await previousAttempt(context, last) }
}

const optionLimits = { skills: 10, references: 4 }

/**
 * Extends the options of a spawn by what the previous attempt lacked. This is the skill that the attempt asked for, and
 * the skills and files that its output file names. The breach of the previous attempt replaces an earlier breach.
 * Returns a note if the requested skill does not exist.
 */
export const withPrevious = async (
  context: Context,
  { breach: _, ...options }: SpawnOptions,
  last: SpawnRow,
  { need, breach, references, skills }: PreviousAttempt,
): Promise<{ options: SpawnOptions; notes: string[] }> => {
  const had = (JSON.parse(last.report) as PromptReport).skills.map(({ name }) => name)
  const isFound = need && (await openCatalogue(context)).find(need.skill) !== undefined
  const added = [...skills, ...(isFound ? [need.skill] : [])]
  const all = [...new Set([...(options.skills ?? had), ...added])]
  const files = [...new Set([...references, ...(options.references ?? [])])]
  const deeper = isFound && need.level === 'L2' ? [need.skill] : []
  return {
    options: {
      ...options,
      ...(added.length > 0 && { skills: all.slice(0, optionLimits.skills) }),
      ...(references.length > 0 && { references: files.slice(0, optionLimits.references) }),
      ...(deeper.length > 0 && { deeper: [...new Set([...(options.deeper ?? []), ...deeper])] }),
      ...(breach !== undefined && { breach }),
    },
    notes: need && !isFound ? [`there is no skill ${need.skill}: spawned without it`] : [],
  }
}

/**
 * Finds the `@` references in the output file of a partial or blocked entry. They name files and skills that the agent
 * was missing.
 */
const missingReferences = async (
  context: Context,
  last: SpawnRow,
): Promise<Pick<PreviousAttempt, 'references' | 'skills'>> => {
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
  return { references: references.slice(0, mostReferences), skills: [...skills].slice(0, mostReferences) }
}

/** Undefined if the file is in none of `folders` or cannot be read. */
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

/** The scanner finds only files, so the folder `@skills/x` is read as `@skills/x/SKILL.md`. */
const referencesIn = (text: string): string[] => {
  const filed = text.replaceAll(/@skills\/([a-z0-9-]{1,64})(?![\w./*-])/g, '@skills/$1/SKILL.md')
  const paths = scan(filed).flatMap((token) => (token.kind === 'file' ? [token.path] : []))
  return [...new Set(paths)]
}

/** The path can be `skills/x/SKILL.md`, `x/SKILL.md` or `x.md`. */
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
