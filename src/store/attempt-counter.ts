const prefix = 'attempt '

/**
 * Returns the name of the counter that holds the highest attempt at a task. The counter remains when a restore removes
 * that attempt.
 */
export const attemptCounter = (task: string): string => prefix + task
