import type { Project } from '../operation/context.ts'

export const defaultOutput = 'claudedocs/agent-outputs'

/** The path of the manifest in a work folder, as configured. */
export const manifestPath = ({ config }: Pick<Project, 'config'>): string =>
  config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`

/**
 * Whether the project's manifest may have lines to ingest. If the path is configured, this is always true: the code
 * that reads manifests may have to refuse the path. Otherwise it is true if the file exists. If it is false,
 * `complete` does not load that code, which saves a fifth of the time.
 */
export const mayHaveLines = ({ host, root, config }: Pick<Project, 'host' | 'root' | 'config'>): boolean =>
  config.output !== undefined ||
  config.manifest !== undefined ||
  host.files.stamp(`${root}/${manifestPath({ config })}`) !== ''
