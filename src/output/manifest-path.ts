import type { Project } from '../operation/context.ts'

export const defaultOutput = 'claudedocs/agent-outputs'

/** The path of the manifest in a work folder, as configured. */
export const manifestPath = ({ config }: Pick<Project, 'config'>): string =>
  config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`

/**
 * Whether `complete` must load the code that reads manifests. Without that code, `complete` takes a fifth less time.
 * True if the manifest exists. Also true if its path is configured, because that code refuses a forbidden path.
 */
export const mayHaveLines = ({ host, root, config }: Pick<Project, 'host' | 'root' | 'config'>): boolean =>
  config.output !== undefined ||
  config.manifest !== undefined ||
  host.files.stamp(`${root}/${manifestPath({ config })}`) !== ''
