import { isOwnFolder } from '../host/secret-names.ts'
import { resolvedEnd } from '../host/stat.ts'
import { isBelow, resolvePath } from '../kernel/path.ts'
import { refuse } from '../kernel/result.ts'
import { mostOfPath, plainPath, plainPathRule } from '../print/plain-path.ts'

/**
 * Checks a path that the configuration or a spawn names. Returns why CLEO must not use the path; undefined if CLEO
 * may use it. The path must be inside the work folder and outside .git and .cleo. If the path contains links, both
 * rules also hold for the place to which the links lead.
 */
export const whyOutside = (work: string, path: string): string | undefined => {
  if (path.startsWith('~')) return 'starts with ~, which CLEO does not replace with your home folder'
  const full = resolvePath(work, path)
  if (!isBelow(work, full)) return `is not inside ${work}`
  const real = resolvedEnd(full)
  if (real === undefined) return 'is a link that leads nowhere'
  const base = isBelow(work, real) ? work : (resolvedEnd(work) ?? work)
  if (!isBelow(base, real)) return `leads to ${real}, which is not inside ${work}`
  const parts = [...full.slice(work.length + 1).split('/'), ...real.slice(base.length + 1).split('/')]
  const own = parts.find(isOwnFolder)
  return own && `is inside ${own}`
}

/** Like `whyOutside`, for a folder of output files. Prompts contain its path, so only plain characters are allowed. */
export const whyNoOutput = (work: string, path: string): string | undefined =>
  plainPath.test(path) && path.length <= mostOfPath ? whyOutside(work, path) : plainPathRule

/**
 * Like `whyOutside`, for the path of the manifest. The path must end in .jsonl. Otherwise a project could make CLEO
 * write to a file of another program.
 */
export const whyNoManifest = (work: string, path: string): string | undefined =>
  whyOutside(work, path) ?? (path.endsWith('.jsonl') ? undefined : 'does not end in .jsonl')

export const confined = (setting: string, work: string, path: string, whyNot = whyOutside): string => {
  const why = whyNot(work, path)
  return why ? refuse('path.outside', { setting, path, why }) : resolvePath(work, path)
}
