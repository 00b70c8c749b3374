import type { Project } from '../operation/context.ts'

export const defaultOutput = 'claudedocs/agent-outputs'

/** The path of the manifest in a work folder, as configured. */
export const manifestPath = ({ config }: Pick<Project, 'config'>): string =>
  config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`

/**
 * Whether the code that reads manifests has to be loaded. It has to if the manifest exists. It also has to if a path is
 * configured, because that code refuses forbidden paths. Otherwise `complete` does not load it, which saves a fifth of
 * the time.
 */
export const mayHaveLines = ({ host, root, config }: Pick<Project, 'host' | 'root' | 'config'>): boolean =>
  config.output !== undefined ||
  config.manifest !== undefined ||
  host.files.stamp(`${root}/${manifestPath({ config })}`) !== ''
