import { hmacSha256, sha256 } from '../host/sha256.ts'
import { Refused } from '../kernel/result.ts'
import { version } from '../kernel/version.ts'
import type { Project } from '../operation/context.ts'
import { projectSecret } from '../project/secret.ts'
import type { Draft, FittedPrompt } from '../prompt/fit-prompt.ts'

/**
 * What the real tokenizer found out, kept under a hash of all it was asked about: loading it takes longer than all the
 * rest of a spawn. A kept answer carries a seal of the project's secret; one that is torn or was touched does not count.
 */
export const keptFit = async (
  project: Project,
  draft: Draft,
  family: string,
  work: () => Promise<FittedPrompt>,
): Promise<FittedPrompt> => {
  const secret = await projectSecret(project)
  const { pathOf: _, ...inputs } = draft
  const key = sha256(JSON.stringify([version, family, inputs]))
  const seal = (text: string) => hmacSha256(secret, [key, text])
  const path = `${project.folder}/cache/fits/${key.slice(0, 32)}`
  const [mark = '', text = ''] = (project.host.files.read(path) ?? '').split('\n')
  if (text !== '' && mark === seal(text)) return JSON.parse(text) as FittedPrompt
  const fitted = await work()
  if (!project.dryRun) keep(project, path, JSON.stringify(fitted), seal)
  return fitted
}

const keep = ({ host }: Project, path: string, text: string, seal: (text: string) => string): void => {
  try {
    host.files.replace(path, `${seal(text)}\n${text}`, 0o600)
  } catch (error) {
    // It only makes things faster.
    if (!(error instanceof Refused)) throw error
  }
}
