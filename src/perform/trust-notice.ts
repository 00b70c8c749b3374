import type { ActingConfig } from '../kernel/config.ts'
import type { Failure, Result } from '../kernel/result.ts'
import { untrustedWarning } from '../project/settings.ts'

/** Adds the warning about settings without effect, and keeps the command that grants trust from agents. */
export const withTrustNotice = (
  result: Result<unknown>,
  untrusted: ActingConfig | undefined,
  agent: boolean,
): Result<unknown> => {
  const line = untrusted && `${untrustedWarning(untrusted)}${agent ? '' : '; see: cleo trust'}`
  const warned = line ? { ...result, warnings: [...(result.warnings ?? []), line] } : result
  return warned.ok || !agent ? warned : withoutTrustFix(warned)
}

const withoutTrustFix = (refusal: Failure): Failure => {
  const { problems, ...rest } = withoutFix(refusal)
  const asked = 'Ask the person who runs this project to trust it.'
  return {
    ...rest,
    ...(problems && { problems: problems.map(withoutFix) }),
    ...(refusal.fix === trustCommand && { alternatives: [...(refusal.alternatives ?? []), asked] }),
  }
}

const trustCommand = 'cleo trust'

const withoutFix = <T extends { fix?: string }>(given: T): T => {
  const { fix, ...rest } = given
  return fix === trustCommand ? (rest as T) : given
}
