/** The command with which a voter votes. It names the option by number, because names were written by others. */
export const voteLine = (consensus: string, spawn: string): string =>
  `cleo consensus vote ${consensus} --option 1 --accept --confidence 0.8 --rationale "<why>" --evidence "<what you checked>" --as ${spawn}`
