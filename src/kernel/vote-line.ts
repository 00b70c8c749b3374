/**
 * The command names the option by its number, because the text of an option comes from others and could contain
 * anything.
 */
export const voteLine = (consensus: string, spawn: string): string =>
  `cleo consensus vote ${consensus} --option 1 --accept --confidence 0.8 --rationale "<why>" --evidence "<what you checked>" --as ${spawn}`
