import type { ActingConfig } from '../kernel/config.ts'
import type { Failure, Result } from '../kernel/result.ts'
import { untrustedWarning } from '../project/settings.ts'

/**
 * Adds the warning about untrusted settings. If the caller is an agent, also removes suggested commands that grant
 * trust or take a task from another agent.
 */
export const withTrustNotice = (
  result: Result<unknown>,
  untrusted: ActingConfig | undefined,
  agent: boolean,
): Result<unknown> => {
  const line = untrusted && `${untrustedWarning(untrusted)}${agent ? '' : '; see: cleo trust'}`
  const warned = line ? { ...result, warnings: [...(result.warnings ?? []), line] } : result
  return warned.ok || !agent ? warned : withoutTakeOver(withoutTrustFix(warned))
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

/** Turns `A person can release T012: cleo focus clear …` into `A person can release T012.` */
const withoutTakeOver = (refusal: Failure): Failure => {
  const { alternatives } = refusal
  if (!alternatives) return refusal
  const kept = alternatives.map((each) =>
    each.replace(/^(A person can [^:]*): cleo (?:focus clear|spawn .* --replace).*$/, '$1.'),
  )
  return { ...refusal, alternatives: kept }
}

const trustCommand = 'cleo trust'

const withoutFix = <T extends { fix?: string }>(given: T): T => {
  const { fix, ...rest } = given
  return fix === trustCommand ? (rest as T) : given
}
