/**
 * The exit codes of problems, the most important first. If a command has several problems, the most important code is
 * used.
 */
const order = [35, 5, 16, 62, 38, 60, 40, 46, 45]

export const exitRank = (exit: number): number => (order.includes(exit) ? order.indexOf(exit) : order.length)

/** If `order` contains none of the codes, returns the first. */
export const firstExit = (exits: readonly number[]): number =>
  exits.toSorted((a, b) => exitRank(a) - exitRank(b))[0]!
