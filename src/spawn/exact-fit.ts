import { hmacSha256, sha256 } from '../host/sha256.ts'
import { Refused } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import type { Project } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import { exactMeasure, type Family, loadTokenizer } from '../prompt/budget/measure.ts'
import { type FittedPrompt, fitPrompt, type PromptDraft } from '../prompt/fit-prompt.ts'

/**
 * Fits a prompt with the real tokenizer and caches the result by a hash of its inputs, because loading the tokenizer
 * takes longer than the rest of a spawn. A cached result is signed with the project's secret, and a result with a
 * wrong signature is ignored.
 */
export const fitExactly = async (
  project: Project,
  draft: PromptDraft,
  family: Family,
): Promise<FittedPrompt> => {
  const secret = await projectSecret(project)
  const { pathOf: _, ...inputs } = draft
  const key = sha256(JSON.stringify([version, family, inputs]))
  const sign = (text: string) => hmacSha256(secret, [key, text])
  const path = `${project.folder}/cache/fits/${key.slice(0, 32)}`
  const [signature = '', text = ''] = (project.host.files.read(path) ?? '').split('\n')
  if (text !== '' && signature === sign(text)) return JSON.parse(text) as FittedPrompt
  const fitted = fitPrompt(draft, exactMeasure(await loadTokenizer(), family))
  if (fitted === 'unsure') throw new Error('the exact count was unsure')
  if (!project.dryRun) store(project, path, JSON.stringify(fitted), sign)
  return fitted
}

const store = ({ host }: Project, path: string, text: string, sign: (text: string) => string): void => {
  try {
    host.files.replace(path, `${sign(text)}\n${text}`, 0o600)
  } catch (error) {
    // A spawn works without the cache.
    if (!(error instanceof Refused)) throw error
  }
}
