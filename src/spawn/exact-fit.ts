import { hmacSha256, sha256 } from '../host/sha256.ts'
import { Refused } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import type { Project } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import { exactMeasure, type Family, loadTokenizer } from '../prompt/budget/measure.ts'
import { type FittedPrompt, fitPrompt, type PromptDraft } from '../prompt/fit-prompt.ts'
import { withNumbersOf } from '../prompt/output-requirements.ts'
import type { PromptFacts } from '../prompt/prompt-facts.ts'

/**
 * Fits a prompt with the real tokenizer. Loading the tokenizer takes longer than the rest of a spawn, so the result
 * is cached by a hash of its inputs. A cached result is signed with the project's secret. A result with a wrong
 * signature is ignored.
 */
export const fitExactly = async (
  project: Project,
  draft: PromptDraft,
  family: Family,
): Promise<FittedPrompt> => {
  const secret = await projectSecret(project)
  const usual = { ...draft, facts: withUsualNumbers(draft.facts) }
  const own = (fitted: FittedPrompt): FittedPrompt => ({
    ...fitted,
    prompt: withNumbersOf(draft.facts.worktree, fitted.prompt, usual.facts.worktree),
  })
  const { pathOf: _, ...inputs } = usual
  const key = sha256(JSON.stringify([version, family, inputs]))
  const sign = (text: string) => hmacSha256(secret, [key, text])
  const path = `${project.folder}/cache/fits/${key.slice(0, 32)}`
  const [signature = '', text = ''] = (project.host.files.read(path) ?? '').split('\n')
  if (text !== '' && signature === sign(text)) return own(JSON.parse(text) as FittedPrompt)
  const fitted = fitPrompt(usual, exactMeasure(await loadTokenizer(), family))
  if (fitted === 'unsure') throw new Error('the exact count was unsure')
  if (!project.dryRun) store(project, path, JSON.stringify(fitted), sign)
  return own(fitted)
}

/**
 * Replaces the slot and port of a worktree by fixed values, and drops its start commit, which the prompt does not show.
 * The real values differ in every spawn but have the same number of tokens. So the cached measurement of an earlier
 * spawn can be used.
 */
const withUsualNumbers = (facts: PromptFacts): PromptFacts => {
  if (facts.worktree === undefined) return facts
  const { commit: _, ...worktree } = facts.worktree
  return {
    ...facts,
    worktree: {
      ...worktree,
      ...(worktree.slot !== undefined && { slot: 1 }),
      ...(worktree.portBase && { portBase: 10_000 }),
    },
  }
}

const store = ({ host }: Project, path: string, text: string, sign: (text: string) => string): void => {
  try {
    host.files.replace(path, `${sign(text)}\n${text}`, 0o600)
  } catch (error) {
    // Ignore a refusal here: a spawn works without the cache.
    if (!(error instanceof Refused)) throw error
  }
}
