import type { Project } from '../operation/context.ts'

export const defaultOutput = 'claudedocs/agent-outputs'

/** The path of the manifest in a work folder, as configured. */
export const manifestPath = ({ config }: Pick<Project, 'config'>): string =>
  config.manifest?.path ?? `${config.output?.dir ?? defaultOutput}/MANIFEST.jsonl`

/**
 * Whether the manifest of the project may have lines to ingest. A configured place may be one that CLEO must not read,
 * which reading it reports, so only the usual place is looked at: it has no file until an agent writes there. Most
 * tasks of such a project are completed without loading what reads a manifest, which is a fifth of `complete`.
 */
export const mayHaveLines = ({ host, root, config }: Pick<Project, 'host' | 'root' | 'config'>): boolean =>
  config.output !== undefined ||
  config.manifest !== undefined ||
  host.files.stamp(`${root}/${manifestPath({ config })}`) !== ''
