/** If a command has several problems, its exit code is the first of these that occurs. */
const order = [35, 5, 16, 62, 38, 60, 40, 46, 45]

export const exitRank = (exit: number): number => (order.includes(exit) ? order.indexOf(exit) : order.length)

/**
 * Returns the exit code of a command with several problems. If none of them is in `order`, the first problem decides.
 */
export const firstExit = (exits: readonly number[]): number =>
  exits.toSorted((a, b) => exitRank(a) - exitRank(b))[0]!
