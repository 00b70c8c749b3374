import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { sha256 } from '../host/sha256.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import type { Measure } from '../prompt/budget/measure.ts'
import { type FittedPrompt, fitPrompt, type Limits } from '../prompt/fit-prompt.ts'
import { withoutEnvironment } from '../prompt/output-requirements.ts'
import type { UnresolvedToken } from '../prompt/tokens/fill.ts'
import { type DraftedPrompt, draftPrompt } from './draft-prompt.ts'
import type { LoadedPrompt } from './load-prompt.ts'
import { askedFor, isLastGiven, orchestratorOf } from './orchestrator.ts'
import type { TaskToSpawn } from './task-to-spawn.ts'

export interface ComposedPrompt extends FittedPrompt {
  spawnId: string
  hash: string
  counted: Measure['counter']
  /** Path of the companion file of a tier-0 prompt. */
  companionPath?: string
  tokenResolution: {
    fullyResolved: boolean
    resolved: number
    unresolved: { token: string; where: string; why: string }[]
    files: { path: string; sha256: string }[]
  }
  faults: Fault<'tokens.unresolved' | 'budget.exceeded'>[]
  warnings: string[]
}

/** If this orchestrator already has an unstarted spawn with the same prompt, returns that spawn. */
export const composeNext = async (
  context: Context,
  { row, latest, attempt }: TaskToSpawn,
  loaded: LoadedPrompt,
  options: SpawnOptions,
): Promise<{ prompt: ComposedPrompt; same: boolean }> => {
  const open = latest?.started_at === null && isLastGiven(latest, attempt)
  if (open && askedFor(latest, orchestratorOf(context))) {
    const prompt = await compose(context, loaded, options, latest.id)
    if (prompt.hash === latest.hash) return { prompt, same: true }
  }
  return { prompt: await compose(context, loaded, options, `${row.id}.${attempt}`), same: false }
}

const familyOf = ({ config }: Context) => config.budget?.family ?? 'gpt'

/**
 * The same inputs give the same prompt, byte for byte. So `composeNext` can tell that an unstarted spawn already has
 * this prompt.
 */
const compose = async (
  context: Context,
  loaded: LoadedPrompt,
  options: SpawnOptions,
  spawnId: string,
): Promise<ComposedPrompt> => {
  const drafted = draftPrompt(loaded, spawnId, options.set, familyOf(context))
  const { draft, fills, unused } = drafted
  const { fitted, counted } = await fitDraft(context, drafted, options)
  const unresolved = fills.flatMap((filled) => filled.unresolved)
  const { companion } = fitted
  return {
    ...fitted,
    spawnId,
    hash: sha256(`${withoutEnvironment(fitted.prompt, draft.facts.worktree)}\n${companion ?? ''}`),
    counted,
    ...(companion !== undefined && { companionPath: cachePath(context, companion) }),
    tokenResolution: {
      fullyResolved: unresolved.length === 0,
      resolved: fills.reduce((sum, { resolved }) => sum + resolved, 0),
      unresolved: unresolved.map(({ token, where, why }) => ({ token, where, why })),
      files: fills.flatMap(({ files }) => files),
    },
    faults: [
      ...unresolvedFault(unresolved.filter((one) => !isAllowed(one, options))),
      ...budgetFault(fitted),
    ],
    warnings: [
      ...unresolved.filter((one) => isAllowed(one, options)).map(unresolvedWarning),
      ...overShare(fitted, draft.limits),
      ...unused.map((name) => `--set ${name} has no effect: no text uses it`),
    ],
  }
}

const cachePath = ({ folder }: Context, text: string): string =>
  `${folder}/cache/${sha256(text).slice(0, 8)}.md`

/** Uses estimated token counts. If an estimate is too close to a limit, counts the tokens exactly. */
const fitDraft = async (
  context: Context,
  { draft, estimate }: DraftedPrompt,
  { exact }: SpawnOptions,
): Promise<{ fitted: FittedPrompt; counted: Measure['counter'] }> => {
  const whole = { ...draft, pathOf: (text: string) => cachePath(context, text) }
  const fitted = exact ? 'unsure' : fitPrompt(whole, estimate)
  if (fitted !== 'unsure') return { fitted, counted: 'estimate' }
  const { fitExactly } = await import('./exact-fit.ts')
  return { fitted: await fitExactly(context, whole, familyOf(context)), counted: 'exact' }
}

const unresolvedFault = (unresolved: readonly UnresolvedToken[]): Fault<'tokens.unresolved'>[] => {
  const [first] = unresolved
  if (!first) return []
  const problems = unresolved.map(({ token, where, why }) => ({ path: where, message: `${token}: ${why}` }))
  const failure = fail('tokens.unresolved', { count: unresolved.length, first, problems })
  return [{ path: 'tokens', failure }]
}

/** A token that names a missing file may always stay unresolved, because the prompt is usable without the file. */
const isAllowed = ({ kind }: UnresolvedToken, { allowUnresolved }: SpawnOptions): boolean =>
  allowUnresolved || kind === 'file'

const unresolvedWarning = ({ kind, token, where, why }: UnresolvedToken): string =>
  `${token} in ${where} is ${kind === 'file' ? 'left out' : 'left as it is'}: ${why}`

/**
 * Warns if the task text or the protocol is larger than its budget. Both are kept whole, so fewer tokens are left for
 * the work.
 */
const overShare = ({ budget }: FittedPrompt, { task, protocol }: Limits): string[] => {
  const shares = [
    { part: 'task context', name: 'task text', share: task },
    { part: 'protocol', name: 'protocol', share: protocol },
  ]
  return shares.flatMap(({ part, name, share }) => {
    const tokens = budget.find((each) => each.part === part)?.tokens ?? 0
    return tokens > share
      ? [`the ${name} has ${tokens} tokens, more than its share of ${share}; it was not cut`]
      : []
  })
}

const budgetFault = ({ over, tokens, limit, budget }: FittedPrompt): Fault<'budget.exceeded'>[] => {
  if (!over) return []
  const problems = budget.map(({ part, tokens }) => ({ path: part, message: `${tokens} tokens` }))
  return [{ path: 'budget', failure: fail('budget.exceeded', { tokens, limit, problems }) }]
}
