import type { Project } from '../operation/context.ts'

export const defaultOutput = 'claudedocs/agent-outputs'

/** The path of the manifest in a work folder, as configured. */
export const manifestPath = ({ config }: Pick<Project, 'config'>): string =>
  config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`

/**
 * Whether the manifest of the project may have lines to ingest. Looks only at the default path: if that file does not
 * exist, no agent has written a line. For a configured path the answer is always true, because CLEO may have to refuse
 * that path, which only the code that reads manifests does. If the answer is false, `complete` does not load that code,
 * which saves a fifth of its time.
 */
export const mayHaveLines = ({ host, root, config }: Pick<Project, 'host' | 'root' | 'config'>): boolean =>
  config.output !== undefined ||
  config.manifest !== undefined ||
  host.files.stamp(`${root}/${manifestPath({ config })}`) !== ''
