const needed = [24, 15] as const

/**
 * On a Node that is too old, prints so and exits with 8. Imports nothing: on such a Node the rest of the program, with
 * its refusals, cannot be loaded. `needed` repeats `engines` of package.json.
 */
export const refuseOldNode = (): void => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return
  process.stderr.write(`CLEO needs Node ${needed.join('.')} or later; this is Node ${process.versions.node}.
  fix: install Node ${needed[0]} from https://nodejs.org, or use the cleo executable, which needs no Node
`)
  process.exit(8)
}
