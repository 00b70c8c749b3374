import type { SpawnOptions } from '../claims/sql/spawns.ts'
import { sha256 } from '../host/sha256.ts'
import { readable } from '../kernel/print/printable.ts'
import { type Fault, fail } from '../kernel/result.ts'
import type { Context } from '../operation/context.ts'
import { estimating, exactly, type Measure } from '../prompt/budget/measure.ts'
import { strategyText } from '../prompt/budget/strategy-text.ts'
import { fenceWith } from '../prompt/fence.ts'
import { type Draft, type FittedPrompt, fitPrompt } from '../prompt/fit-prompt.ts'
import { type Filled, fill, type Unresolved } from '../prompt/tokens/fill.ts'
import { protocolTexts, protocolTokens } from './generated/protocols.ts'
import { type Lookup, type Lookups, lookupsFor, withFolder } from './names.ts'
import type { Prepared } from './prepare.ts'
import { type FillText, skillDrafts } from './skill-drafts.ts'

export interface Finished extends FittedPrompt {
  spawnId: string
  hash: string
  /** Which counter spoke. */
  counted: Measure['speaker']
  /** Where the companion of a tier-0 prompt belongs. */
  companionPath?: string
  tokenResolution: TokenResolution
  faults: Fault<'tokens.unresolved' | 'budget.exceeded'>[]
  warnings: string[]
}

export interface TokenResolution {
  fullyResolved: boolean
  resolved: number
  unresolved: { token: string; where: string; why: string }[]
  files: { path: string; sha256: string }[]
}

/** The words of a spawn but for its id, which is known last: every token filled in, every count taken once. */
export interface Worded {
  draft: Omit<Draft, 'facts'> & { facts: Prepared['facts'] }
  fills: readonly Filled[]
  /** Counts by estimate; the same for one id as for the next, so it remembers. */
  estimate: Measure
  /** Values the caller gave that no text has a place for. */
  unused: readonly string[]
}

export const word = (context: Context, prepared: Prepared, wishes: SpawnOptions): Worded => {
  const fills: Filled[] = []
  const wanted = new Set<string>()
  const values = lookupsFor(context, prepared.facts, wishes.set)
  const noting =
    (lookup: Lookup): Lookup =>
    (name) => {
      wanted.add(name)
      return lookup(name)
    }
  const lookups = { any: noting(values.any), known: noting(values.known) }
  const draft = draftOf(context, prepared, lookups, fills)
  const set = wishes.set.map((one) => one.slice(0, one.indexOf('=')))
  return {
    draft,
    fills,
    estimate: estimating(familyOf(context), countsOf(draft, prepared)),
    unused: set.filter((name) => !wanted.has(name)),
  }
}

const familyOf = ({ config }: Context) => config.budget?.family ?? 'gpt'

/** Makes the prompt of one spawn: the same inputs give the same bytes. */
export const finish = async (
  context: Context,
  { draft, fills, estimate, unused }: Worded,
  wishes: SpawnOptions,
  spawnId: string,
): Promise<Finished> => {
  const complete = { ...draft, facts: { ...draft.facts, spawnId } }
  const { fitted, counted } = await fittedBy(complete, estimate, context, wishes)
  const unresolved = fills.flatMap((filled) => filled.unresolved)
  const { companion } = fitted
  return {
    ...fitted,
    spawnId,
    hash: sha256(`${fitted.prompt}\n${companion ?? ''}`),
    counted,
    ...(companion !== undefined && { companionPath: draft.pathOf(companion) }),
    tokenResolution: {
      fullyResolved: unresolved.length === 0,
      resolved: fills.reduce((sum, { resolved }) => sum + resolved, 0),
      unresolved: unresolved.map(({ token, where, why }) => ({ token, where, why })),
      files: fills.flatMap(({ files }) => files),
    },
    faults: [...unresolvedFault(unresolved.filter((one) => !isLeftOut(one, wishes))), ...budgetFault(fitted)],
    warnings: [
      ...unresolved.filter((one) => isLeftOut(one, wishes)).map(leftOut),
      ...overShare(fitted, draft.limits),
      ...unused.map((name) => `no text has a place for ${name}, which --set gives`),
    ],
  }
}

/** Fills in every token; what that brought to light is added to `fills`. */
const draftOf = (
  context: Context,
  prepared: Prepared,
  lookups: Lookups,
  fills: Filled[],
): Worded['draft'] => {
  const { facts, texts, nonce, chosen } = prepared
  const fence = fenceWith(nonce)
  const filled: FillText = ({ source, loaded }, folder) => {
    const lookup = source.kind === 'template' ? lookups.any : lookups.known
    const one = fill(source, loaded, folder === undefined ? lookup : withFolder(lookup, folder), fence)
    fills.push(one)
    return readable(one.text).trimEnd()
  }
  return {
    facts,
    nonce,
    protocols: [filled(texts.base), filled(texts.protocol)],
    ...(texts.guidance && { guidance: filled(texts.guidance) }),
    ...(texts.antiPatterns && { antiPatterns: filled(texts.antiPatterns) }),
    skills: skillDrafts(chosen.skills, texts.skills, { filled, fence }),
    limits: prepared.limits,
    pathOf: (text) => `${context.folder}/cache/${sha256(text).slice(0, 8)}.md`,
  }
}

/** What ships was counted when CLEO was built; the names filled in since make no difference worth counting. */
const countsOf = (draft: Worded['draft'], { facts, chosen, texts }: Prepared): Map<string, number> => {
  const known = new Map([[draft.protocols[0]!, protocolTokens.base]])
  if (texts.protocol.source.text === protocolTexts[facts.protocol])
    known.set(draft.protocols[1]!, protocolTokens[facts.protocol])
  for (const [i, { skill }] of chosen.skills.entries())
    if (skill.tokens !== undefined) known.set(strategyText(draft.skills[i]!, 'standard'), skill.tokens)
  return known
}

/** The estimate decides where it can; where it is too close to a limit, the real tokenizer does. */
const fittedBy = async (draft: Draft, estimate: Measure, context: Context, { exact }: SpawnOptions) => {
  const first = exact ? 'unsure' : fitPrompt(draft, estimate)
  if (first !== 'unsure') return { fitted: first, counted: 'estimate' as const }
  const family = familyOf(context)
  const { keptFit } = await import('./fit-cache.ts')
  const fitted = await keptFit(context, draft, family, async () => {
    const { loadExact } = await import('../prompt/budget/exact.ts')
    const found = fitPrompt(draft, exactly(await loadExact(), family))
    if (found === 'unsure') throw new Error('the exact count was unsure')
    return found
  })
  return { fitted, counted: 'exact' as const }
}

const unresolvedFault = (unresolved: readonly Unresolved[]): Fault<'tokens.unresolved'>[] => {
  if (unresolved.length === 0) return []
  const problems = unresolved.map(({ token, where, why }) => ({ path: where, message: `${token}: ${why}` }))
  return [{ path: 'tokens', failure: fail('tokens.unresolved', { count: unresolved.length, problems }) }]
}

/** A prompt says what it was meant to without a file it points to; without a name it does not. */
const isLeftOut = ({ kind }: Unresolved, { allowUnresolved }: SpawnOptions): boolean =>
  allowUnresolved || kind === 'file'

const leftOut = ({ kind, token, where, why }: Unresolved): string =>
  `${token} in ${where} is ${kind === 'file' ? 'left out' : 'left as it is'}: ${why}`

/** The task's own words and the protocol are never cut: what they take beyond their share, the agent lacks. */
const overShare = ({ budget }: FittedPrompt, limits: Draft['limits']): string[] =>
  budget
    .filter(({ part, tokens }) => part === 'task context' && tokens > limits.task)
    .map(
      ({ tokens }) => `the task takes ${tokens} tokens of a share of ${limits.task}; nothing of it was cut`,
    )

const budgetFault = ({ over, tokens, limit, budget }: FittedPrompt): Fault<'budget.exceeded'>[] => {
  if (!over) return []
  const problems = budget.map(({ part, tokens }) => ({ path: part, message: `${tokens} tokens` }))
  return [{ path: 'budget', failure: fail('budget.exceeded', { tokens, limit, problems }) }]
}
