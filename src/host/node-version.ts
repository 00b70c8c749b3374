const needed = [24, 15] as const

/**
 * If Node is too old, prints a message and exits with 8. This file imports nothing, because an old Node cannot load
 * the rest of the program, including the refusals. `needed` must equal `engines` in package.json.
 */
export const refuseOldNode = (): void => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return
  process.stderr.write(`CLEO needs Node ${needed.join('.')} or later; this is Node ${process.versions.node}.
  fix: install Node ${needed[0]} from https://nodejs.org, or use the cleo executable, which needs no Node
`)
  process.exit(8)
}
