/** If a command has several problems with different exit codes, the first code in this list that occurs is used. */
const order = [35, 5, 16, 62, 38, 60, 40, 46, 45]

export const exitRank = (exit: number): number => (order.includes(exit) ? order.indexOf(exit) : order.length)

/**
 * Returns the exit code of a command with several problems. If none of their codes is in `order`, the code of the first
 * problem is used.
 */
export const firstExit = (exits: readonly number[]): number =>
  exits.toSorted((a, b) => exitRank(a) - exitRank(b))[0]!
